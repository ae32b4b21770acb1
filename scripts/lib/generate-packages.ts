import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';

const root = resolve(import.meta.dirname, '../..');

const Summary = z.looseObject({
  requested: z.number(),
  accepted: z.number(),
  rejected: z.number(),
  failed: z.number(),
  seconds: z.number(),
  packages: z.array(z.looseObject({ path: z.string() })),
});
export type Summary = z.infer<typeof Summary>;

interface GenerateWish {
  skill: string;
  count: number;
  seed: number;
  out: string;
  /** Opens each file in LibreOffice, as far as it is installed: seconds for each package. */
  office?: boolean;
}

/**
 * Generates packages with `forge generate`: the whole engine with models rehearsed and a data folder of its own, which is
 * removed afterwards. Progress goes to stderr.
 */
export async function generatePackages({ skill, count, seed, out, office = false }: GenerateWish): Promise<Summary> {
  const data = await mkdtemp(join(tmpdir(), 'forge-generate-'));
  const args = ['generate', skill, '--count', String(count), '--seed', String(seed), '--out', out, '--json'];
  try {
    const output = await new Promise<string>((done, fail) => {
      const child = spawn(process.execPath, [join(root, 'apps/cli/bin/forge.mjs'), ...args], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'inherit'],
        env: {
          ...process.env,
          FORGE_DATA: data,
          FORGE_MODEL_PROVIDER: 'rehearsal',
          ...(office ? {} : { FORGE_SOFFICE: '/no-office' }),
        },
      });
      let text = '';
      child.stdout.on('data', (chunk: Buffer) => {
        text += chunk.toString('utf8');
      });
      child.on('error', fail);
      child.on('close', () => done(text));
    });
    const line = output.trim().split('\n').at(-1) ?? '';
    const summary = Summary.safeParse(line === '' ? undefined : JSON.parse(line));
    if (!summary.success) throw new Error(`${skill} could not be generated: ${line || 'forge ended without a word'}`);
    return summary.data;
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}
