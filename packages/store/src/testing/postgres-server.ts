import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ManagedProcess, signalGroup, startProcess } from '@cua-forge/cli/bootstrap/managed-process';
import { freePort } from '@cua-forge/cli/bootstrap/ports';
import { findTool } from '@cua-forge/cli/doctor/find-tool';
import { toolParts } from '@cua-forge/cli/doctor/parts';
import { Client } from 'pg';

export interface PostgresServer {
  /** Makes an empty database; returns its address. */
  createDatabase(): Promise<string>;
  /** kill -9 of the server and all its sessions. */
  kill(): Promise<void>;
  /** Starts it again on the same data and port. */
  restart(): Promise<void>;
  /** Stops it and removes its data. */
  stop(): Promise<void>;
}

/** A Postgres server of the test's own in a temporary folder, as the unprivileged user that it insists on. */
export async function startPostgres(): Promise<PostgresServer> {
  const program = await postgresProgram();
  const folder = await mkdtemp(join(tmpdir(), 'forge-postgres-'));
  const data = join(folder, 'data');
  const asUser = process.getuid?.() === 0 ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : [];
  if (asUser.length > 0) execFileSync('chown', ['postgres:', folder]);
  await chmod(folder, 0o755);
  const run = (command: string[], args: string[]): void => {
    const [file = '', ...rest] = [...asUser, ...command, ...args];
    execFileSync(file, rest, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  };
  // A locale that orders texts otherwise than by their bytes, as databases of others have.
  const locale = ['--locale-provider=icu', '--icu-locale=en', '--locale=C.UTF-8'];
  run([join(program, '..', 'initdb')], ['-D', data, '-U', 'forge', '-A', 'trust', '-E', 'UTF8', '-N', ...locale]);
  const port = await freePort(32_000 + Math.floor(Math.random() * 8_000));
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    max_connections: 60,
  };
  const address = (database: string): string => `postgres://forge@127.0.0.1:${port}/${database}`;
  let running: ManagedProcess | null = null;
  let count = 0;

  async function start(): Promise<void> {
    const [command = '', ...args] = [
      ...asUser,
      program,
      '-D',
      data,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ];
    const said: string[] = [];
    let ready: () => void = () => undefined;
    const isReady = new Promise<void>((resolve) => {
      ready = resolve;
    });
    running = await startProcess({
      command,
      args,
      cwd: folder,
      onLine(line) {
        said.push(line);
        if (line.includes('ready to accept connections')) ready();
      },
    });
    const ended = running.exited.then(() => {
      throw new Error(`Postgres ended at its start:\n${said.slice(-20).join('\n')}`);
    });
    ended.catch(() => undefined);
    await Promise.race([isReady, ended]);
  }

  /** Sessions of a server that was killed end when they notice; until then it refuses to start on their memory. */
  async function startAfterKill(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await start();
        return;
      } catch (thrown) {
        if (attempt === 50 || !String(thrown).includes('still in use')) throw thrown;
        await sleep(200);
      }
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const ending = running;
    running = null;
    if (ending === null) return;
    signalGroup(ending.pid, signal);
    await ending.exited;
    await ending.stop();
  }

  await start();
  return {
    async createDatabase() {
      const client = new Client({ connectionString: address('postgres') });
      await client.connect();
      const name = `forge_${count++}`;
      await client.query(`create database ${name}`);
      await client.end();
      return address(name);
    },
    kill: () => end('SIGKILL'),
    restart: startAfterKill,
    async stop() {
      await end('SIGINT');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function postgresProgram(): Promise<string> {
  const part = toolParts.find(({ id }) => id === 'postgres');
  const found = part && (await findTool(part, process.env));
  if (!found) throw new Error('Postgres is not installed here: `forge doctor --install` gets it.');
  return found.path;
}
