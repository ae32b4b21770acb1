import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ForgeError } from '@cua-forge/spec/errors';

/** Milliseconds that loading and converting one file may take. */
const LIMIT = 120_000;
const OUTPUT_LIMIT = 4_000;

/**
 * Calculates all formulas when a workbook is loaded (0 = always), whoever saved it: cached results may be absent or wrong. Runs no macros, and fetches nothing that a
 * file from elsewhere links to.
 */
const settings = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
${['OOXMLRecalcMode', 'ODFRecalcMode']
  .map(
    (name) =>
      `<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="${name}" oor:op="fuse"><value>0</value></prop></item>`,
  )
  .join('\n')}
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="BlockUntrustedRefererLinks" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop></item>
</oor:items>
`;

/** Runs LibreOffice without a screen, with a profile of its own in `folder`; `output` is the start of what it printed. The process group is gone when this settles. */
export async function runOffice(
  program: string,
  folder: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<{ code: number | null; output: string }> {
  const profile = join(folder, 'profile');
  await mkdir(join(profile, 'user'), { recursive: true });
  await writeFile(join(profile, 'user', 'registrymodifications.xcu'), settings);
  const all = [
    `-env:UserInstallation=${pathToFileURL(profile).href}`,
    '--headless',
    '--norestore',
    '--nolockcheck',
    ...args,
  ];
  return new Promise((resolve, reject) => {
    const cancelled = (): ForgeError => new ForgeError('node.cancelled', 'The conversion was cancelled.');
    if (signal.aborted) {
      reject(cancelled());
      return;
    }
    const child = spawn(program, all, {
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
    signal.addEventListener('abort', kill, { once: true });
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', kill);
      kill();
    };
    child.on('error', (error) => {
      end();
      reject(error);
    });
    child.on('close', (code) => {
      end();
      if (signal.aborted) reject(cancelled());
      else resolve({ code, output });
    });
  });
}
