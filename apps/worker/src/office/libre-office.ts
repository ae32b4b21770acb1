import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { OfficePort, OpenReport } from '@cua-forge/spec/kind';

/** Milliseconds that loading and converting one file may take. */
const LIMIT = 120_000;
const OUTPUT_LIMIT = 4_000;

/** LibreOffice as a separate process, each call with its own profile and folder, both removed afterwards. Its process group is killed when the call ends, however it ends. */
export class LibreOffice implements OfficePort {
  private found: Promise<string | null> | null = null;

  constructor(private readonly program: string) {}

  /** Version line of the program, or null where it is not installed. */
  version(): Promise<string | null> {
    this.found ??= promisify(execFile)(this.program, ['--version'], { timeout: 30_000 }).then(
      ({ stdout }) => stdout.trim(),
      () => null,
    );
    return this.found;
  }

  async open(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<OpenReport> {
    const version = await this.version();
    if (version === null)
      return {
        opened: null,
        application: 'LibreOffice',
        detail: `LibreOffice is not installed here ('${this.program}' does not run), so '${name}' was not opened.`,
      };
    const folder = await mkdtemp(join(tmpdir(), 'forge-office-'));
    try {
      const file = join(folder, basename(name).replaceAll(/[^\p{L}\p{N}._ -]/gu, '_'));
      await writeFile(file, bytes);
      const { code, output } = await this.convert(folder, file, signal);
      const pdf = file.replace(/\.[^.]*$/, '.pdf');
      const size = await stat(pdf).then(
        ({ size: found }) => found,
        () => 0,
      );
      const whole = size > 0 && (await readFile(pdf)).subarray(0, 5).toString('latin1') === '%PDF-';
      if (code === 0 && whole)
        return { opened: true, application: version, detail: `Loaded and laid out (${size} bytes of PDF).` };
      return { opened: false, application: version, detail: `Did not load: ${output.trim() || `exit ${code}`}` };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  private convert(folder: string, file: string, signal: AbortSignal): Promise<{ code: number | null; output: string }> {
    const args = [
      `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`,
      '--headless',
      '--norestore',
      '--nolockcheck',
      '--convert-to',
      'pdf',
      '--outdir',
      folder,
      file,
    ];
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const child = spawn(this.program, args, {
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8' },
      });
      let output = '';
      const keep = (chunk: Buffer): void => {
        if (output.length < OUTPUT_LIMIT) output += chunk.toString('utf8').slice(0, OUTPUT_LIMIT - output.length);
      };
      child.stdout.on('data', keep);
      child.stderr.on('data', keep);
      const kill = (): void => {
        if (child.pid === undefined) return;
        try {
          process.kill(-child.pid, 'SIGKILL');
        } catch {
          // Gone already.
        }
      };
      const timer = setTimeout(() => {
        output = `No answer within ${LIMIT / 1_000} s.`;
        kill();
      }, LIMIT);
      const abort = (): void => kill();
      signal.addEventListener('abort', abort, { once: true });
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        kill();
      };
      child.on('error', (error) => {
        end();
        reject(error);
      });
      child.on('close', (code) => {
        end();
        if (signal.aborted) reject(new DOMException('cancelled', 'AbortError'));
        else resolve({ code, output });
      });
    });
  }
}
