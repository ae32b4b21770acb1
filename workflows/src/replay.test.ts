import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workflowBundle } from '@cua-forge/worker/workflow-bundle';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import pino from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });

const Recorded = z.object({
  workflowId: z.string(),
  history: z.object({ events: z.array(z.record(z.string(), z.unknown())) }),
});
type Recorded = z.infer<typeof Recorded>;

const folder = join(import.meta.dirname, '../histories');
const names = readdirSync(folder).map((file) => file.replace('.json', ''));
const recorded = (name: string): Recorded =>
  Recorded.parse(JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')));

const sinks = { forge: { report: { fn: () => undefined, callDuringReplay: false } } };

let bundle: { code: string };
beforeAll(async () => {
  bundle = await workflowBundle(join(tmpdir(), 'forge-test-bundles'), pino({ level: 'silent' }));
});
const replay = ({ workflowId, history }: Recorded): Promise<void> =>
  Worker.runReplayHistory({ workflowBundle: bundle, sinks }, history, workflowId);

describe('recorded histories', () => {
  it('cover every kind of run', () => {
    const scenes = new Set(
      names.filter((name) => !name.startsWith('former-')).map((name) => name.replace(/-\d+$/, '')),
    );
    const wanted = [
      'straight',
      'region',
      'map',
      'repair',
      'composites',
      'approval',
      'retry',
      'reopened',
      'cancelled',
      'batch',
      'hosted',
      'continue-as-new',
    ];
    expect([...scenes].sort()).toEqual(wanted.sort());
  });

  it.each(names)('%s: the workflows of today decide as those that were recorded', async (name) => {
    await expect(replay(recorded(name))).resolves.toBeUndefined();
  });

  it('notices another decision', async () => {
    const text = JSON.stringify(recorded('straight-1'));
    const other = text.replaceAll('"executeNodes"', '"executeOthers"');
    expect(other).not.toBe(text);
    await expect(replay(Recorded.parse(JSON.parse(other)))).rejects.toThrow(DeterminismViolationError);
  });
});
