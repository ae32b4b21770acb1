import { timingSafeEqual } from 'node:crypto';
import { chmod, mkdir, readdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { json } from 'node:stream/consumers';
import { ByWhom, DesktopId, desktopSocketsFolder } from '@cua-forge/spec/desktop-service';
import { StartDesktop } from '@cua-forge/spec/desktops';
import { ForgeError, httpStatusOf, toForgeError } from '@cua-forge/spec/errors';
import type { Logger } from 'pino';
import { createWebSocketStream, WebSocketServer } from 'ws';
import { z } from 'zod';
import type { Desktops } from './desktops.ts';

export interface DesktopServiceOptions {
  desktops: Desktops;
  /** Folder of running sandboxes; the service's socket lies in it, for servers of this machine alone. */
  runtime: string;
  /** Names the store that this worker works on: servers of other stores leave it alone. */
  instance: string;
  /** For servers of other machines: they show the token with every request. */
  tcp?: { host: string; port: number; token: string } | undefined;
  log: Logger;
}

export interface DesktopService {
  /** Where it answers: the path of a socket, or an address. */
  address: string;
  close(): Promise<void>;
}

const Width = z.coerce.number().int().min(64).max(3840).default(480);

/** Shows the desktops of this machine to the server, which shows them to people. */
export async function startDesktopService(options: DesktopServiceOptions): Promise<DesktopService> {
  const { desktops, tcp, log } = options;
  const allowed = ({ headers }: IncomingMessage): boolean =>
    tcp === undefined || sameText(headers.authorization ?? '', `Bearer ${tcp.token}`);
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: 4 * 1_048_576 });

  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => fail(response, error));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!allowed(request)) throw new ForgeError('unauthorized', 'The token of the desktop service is another one.');
    const { parts, query } = read(request);
    const [id = '', what = ''] = parts;
    const route = `${request.method} ${parts.length === 0 ? '' : '/:id'}${what === '' ? '' : `/${what}`}`;
    if (id !== '') DesktopId.parse(id);
    switch (route) {
      case 'GET ':
        return send(response, await desktops.list());
      case 'POST ': {
        const { by, ...start } = z.intersection(StartDesktop, ByWhom).parse(await json(request));
        return send(response, await desktops.start(StartDesktop.parse(start), by));
      }
      case 'DELETE /:id':
        await desktops.end(id);
        return send(response, {});
      case 'GET /:id/picture': {
        const bytes = await desktops.picture(id, Width.parse(query.get('width') ?? undefined));
        response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': bytes.byteLength }).end(bytes);
        return;
      }
      case 'POST /:id/recording':
        return send(response, await desktops.startRecording(id, ByWhom.parse(await json(request)).by));
      case 'DELETE /:id/recording':
        return send(response, await desktops.endRecording(id));
      default:
        throw new ForgeError('not-found', `There is no ${request.method} ${request.url}.`);
    }
  }

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    void open(request, socket, head).catch((error: unknown) => {
      log.warn({ problem: toForgeError(error).message }, 'a desktop could not be shown');
      socket.end(`HTTP/1.1 ${httpStatusOf(toForgeError(error).code)} -\r\nConnection: close\r\n\r\n`);
    });
  });

  async function open(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => undefined);
    if (!allowed(request)) throw new ForgeError('unauthorized', 'The token of the desktop service is another one.');
    const { parts, query } = read(request);
    const [id = '', what] = parts;
    if (what !== 'view') throw new ForgeError('not-found', `There is no ${request.url}.`);
    const control = query.get('control') === '1';
    const view = await desktops.view(DesktopId.parse(id), { name: query.get('name') ?? 'somebody', control });
    sockets.handleUpgrade(request, socket, head, (web) => {
      const viewer = createWebSocketStream(web);
      const end = (): void => {
        view.left();
        viewer.destroy();
        view.desktop.destroy();
      };
      viewer.on('data', view.heard);
      for (const stream of [viewer, view.desktop]) stream.on('error', end).on('close', end);
      viewer.pipe(view.desktop);
      view.desktop.pipe(viewer);
    });
  }

  const address =
    tcp === undefined ? await listenHere(server, options.runtime, options.instance) : await listenAt(server, tcp);
  return {
    address,
    async close() {
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (tcp === undefined) await rm(address, { force: true });
      await desktops.close();
    },
  };
}

function read({ url = '' }: IncomingMessage): { parts: string[]; query: URLSearchParams } {
  const { pathname, searchParams } = new URL(url, 'http://desktops.invalid');
  const [, first, ...parts] = pathname.split('/');
  if (first !== 'desktops') throw new ForgeError('not-found', `There is no ${pathname}.`);
  return { parts: parts.map(decodeURIComponent), query: searchParams };
}

function send(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function fail(response: ServerResponse, thrown: unknown): void {
  const error =
    thrown instanceof z.ZodError
      ? new ForgeError('input.invalid', z.prettifyError(thrown), { cause: thrown })
      : toForgeError(thrown);
  if (response.headersSent) response.destroy();
  else
    response
      .writeHead(httpStatusOf(error.code), { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: error.toFailure() }));
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** On a socket that only this user can open; sockets that a dead process has left are removed. */
async function listenHere(server: Server, runtime: string, instance: string): Promise<string> {
  const folder = join(runtime, desktopSocketsFolder);
  await mkdir(runtime, { recursive: true, mode: 0o711 });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (name.endsWith('.sock') && !(await answers(path))) await rm(path, { force: true });
  }
  const path = join(folder, `${instance}-${process.pid}.sock`);
  await rm(path, { force: true });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
  await chmod(path, 0o600);
  return path;
}

async function listenAt(server: Server, { host, port }: { host: string; port: number }): Promise<string> {
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  const address = server.address();
  return `http://${host.includes(':') ? `[${host}]` : host}:${typeof address === 'object' && address !== null ? address.port : port}`;
}

const answers = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
