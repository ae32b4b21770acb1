import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { DesktopId } from '@cua-forge/spec/desktop-service';
import { ForgeError, httpStatusOf, toForgeError } from '@cua-forge/spec/errors';
import { z } from 'zod';
import { refuseForeign } from '../security/allowed-hosts.ts';
import type { CookieSigner } from '../security/session-cookie.ts';
import type { Services } from '../services.ts';

/** What a ticket for a live view says. */
const Ticket = z.object({ desktop: DesktopId, name: z.string(), control: z.boolean() });
type Ticket = z.infer<typeof Ticket>;

const purpose = 'desktop-view';
const lifetimeSeconds = 30;
const path = /^\/api\/desktops\/([a-z0-9-]{1,64})\/rfb$/;

/** An address that a browser may open for a short while: a WebSocket cannot carry a header that says who opens it. */
export async function viewAddress(signer: CookieSigner, ticket: Ticket): Promise<{ path: string; expiresAt: number }> {
  const signed = await signer.sign(purpose, ticket, `${lifetimeSeconds}s`);
  return {
    path: `/api/desktops/${ticket.desktop}/rfb?${new URLSearchParams({ ticket: signed })}`,
    expiresAt: Date.now() + lifetimeSeconds * 1000,
  };
}

/** Joins the WebSockets of browsers to the desktop services of workers. Everything else that wants to become another protocol is refused. */
export function relayViews({ env, access, desktops, log }: Pick<Services, 'env' | 'access' | 'desktops' | 'log'>) {
  const refuse = refuseForeign(env);

  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', () => undefined);
    relay(request, socket, head).catch((thrown: unknown) => {
      const error = toForgeError(thrown);
      log.warn({ problem: error.message, code: error.code }, 'a live view was refused');
      socket.end(`HTTP/1.1 ${httpStatusOf(error.code)} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    });
  };

  async function relay(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    refuse(request.headers);
    const url = new URL(request.url ?? '', 'http://server.invalid');
    const id = path.exec(url.pathname)?.[1];
    if (id === undefined || request.headers.upgrade?.toLowerCase() !== 'websocket')
      throw new ForgeError('not-found', `There is no live view at ${url.pathname}.`);
    const ticket = await access.signer.read(purpose, Ticket, url.searchParams.get('ticket') ?? undefined);
    if (ticket === null || ticket.desktop !== id)
      throw new ForgeError('unauthorized', 'The ticket of this live view has run out, or is for another desktop.');
    const asked = await desktops.view(id, ticket, {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': request.headers['sec-websocket-version'] ?? '13',
      'sec-websocket-key': request.headers['sec-websocket-key'] ?? '',
    });
    await new Promise<void>((resolve, reject) => {
      asked.once('error', (cause) =>
        reject(new ForgeError('sandbox.unavailable', `The desktop cannot be shown: ${cause.message}.`, { cause })),
      );
      asked.once('response', (answer) => {
        answer.resume();
        reject(new ForgeError('sandbox.unavailable', `The desktop cannot be shown (${answer.statusCode}).`));
      });
      asked.once('upgrade', (answer, desktop, first) => {
        socket.write(
          `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${answer.headers['sec-websocket-accept'] ?? ''}\r\n\r\n`,
        );
        const end = (): void => {
          socket.destroy();
          desktop.destroy();
        };
        for (const one of [socket, desktop]) one.on('error', end).on('close', end);
        if (first.length > 0) socket.write(first);
        if (head.length > 0) desktop.write(head);
        socket.pipe(desktop).pipe(socket);
        resolve();
      });
      asked.end();
    });
  }
}
