import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';

interface Listening {
  pipe: string;
  stop(): Promise<void>;
}

/** A LibreOffice without windows that listens on a pipe. */
async function listening(program: string): Promise<Listening> {
  const folder = await mkdtemp(join(tmpdir(), 'forge-listening-'));
  const pipe = `forge${process.pid}${Math.random().toString(36).slice(2, 8)}`;
  const child = spawn(
    program,
    [
      `-env:UserInstallation=file://${folder}`,
      '--headless',
      '--norestore',
      '--nodefault',
      `--accept=pipe,name=${pipe};urp;`,
    ],
    { detached: true, stdio: 'ignore' },
  );
  const gone = new Promise<void>((done) => {
    child.on('exit', () => done());
    child.on('error', () => done());
  });
  return {
    pipe,
    async stop() {
      try {
        if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // Gone already.
      }
      await gone;
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

/**
 * Some LibreOffices without windows, for programs that work through one. Each serves one program at a time: when one stores a workbook while another loads one,
 * LibreOffice waits for itself for ever. The store holds its one big lock and waits for threads of the pool that reads sheets as well, and those wait for the lock.
 */
export class ListeningOffices {
  readonly #all: Listening[] = [];
  readonly #free: Listening[] = [];
  readonly #turns;

  constructor(
    private readonly program = 'soffice',
    most = cpus().length,
  ) {
    this.#turns = pLimit(most);
  }

  /** Gives `work` the pipe of a LibreOffice that nobody else talks to meanwhile; the first to need one starts it. */
  use<T>(work: (pipe: string) => Promise<T>): Promise<T> {
    return this.#turns(async () => {
      const office = this.#free.pop() ?? (await this.#start());
      try {
        return await work(office.pipe);
      } finally {
        this.#free.push(office);
      }
    });
  }

  async #start(): Promise<Listening> {
    const office = await listening(this.program);
    this.#all.push(office);
    return office;
  }

  /** Ends all of them, those in use as well. */
  async stop(): Promise<void> {
    this.#turns.clearQueue();
    this.#free.length = 0;
    await Promise.all(this.#all.splice(0).map((one) => one.stop()));
  }
}
