import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ForgeError } from '@cua-forge/spec/errors';
import type { OfficePort } from '@cua-forge/spec/kind';
import type { StateReader } from '@cua-forge/spec/state-reader';
import { folderReader } from '../file-readers.ts';

const commandMs = 60_000;
const convertMs = 180_000;

interface Ran {
  code: number;
  stdout: string;
  output: string;
}

function run(command: readonly string[], timeout = commandMs): Promise<Ran> {
  const [program = '', ...args] = command;
  return new Promise((resolve, reject) => {
    execFile(program, args, { timeout, maxBuffer: 16 * 1_048_576 }, (error, stdout, stderr) => {
      if (error !== null && error.code === 'ENOENT')
        reject(new ForgeError('tool.missing', `A check needs '${program}', which is not on this machine.`));
      else
        resolve({
          code: error === null ? 0 : typeof error.code === 'number' ? error.code : 124,
          stdout,
          output: `${stdout}${stderr}`,
        });
    });
  });
}

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** The state of the machine that this runs on: its files, processes, windows and screen. */
export function thisMachine(): StateReader {
  return {
    ...folderReader('/'),
    processes: async () => lines((await run(['ps', '-eo', 'args=', '--no-headers'])).stdout),
    windows: async () =>
      lines((await run(['wmctrl', '-l'])).stdout).map((line) => line.split(/\s+/).slice(3).join(' ')),
    screenshot: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'cua-forge-check-'));
      try {
        const file = join(folder, 'screen.png');
        await run(['scrot', file]);
        return new Uint8Array(await readFile(file));
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    run: async (command) => {
      const { code, output } = await run(command);
      return { code, output };
    },
  };
}

/** LibreOffice of this machine, with a profile of its own for each file. */
export const officeHere: Pick<OfficePort, 'convert'> = {
  async convert(name, bytes, to) {
    const folder = await mkdtemp(join(tmpdir(), 'cua-forge-check-'));
    try {
      const source = join(folder, `in${extname(name)}`);
      await writeFile(source, bytes);
      const profile = pathToFileURL(join(folder, 'profile')).href;
      const filter =
        to === 'csv' ? 'csv:Text - txt - csv (StarCalc):44,34,76,1' : to === 'txt' ? 'txt:Text (encoded):UTF8' : to;
      await run(
        [
          'soffice',
          `-env:UserInstallation=${profile}`,
          '--headless',
          '--convert-to',
          filter,
          '--outdir',
          join(folder, 'out'),
          source,
        ],
        convertMs,
      );
      const [made] = await readdir(join(folder, 'out')).catch(() => []);
      if (made === undefined)
        throw new ForgeError(
          'file.unreadable',
          `${basename(name)} does not load in LibreOffice or cannot become ${to}.`,
        );
      return new Uint8Array(await readFile(join(folder, 'out', made)));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
