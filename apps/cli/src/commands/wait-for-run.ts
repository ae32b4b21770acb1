import type { ApiClient } from '@cua-forge/api-client/api-client';
import type { RunView } from '@cua-forge/spec/api/runs';
import { toForgeError } from '@cua-forge/spec/errors';
import type { RunState } from '@cua-forge/spec/store-port';
import type { Reporter } from '../bootstrap/progress.ts';
import { sayWhoIsMissing, silenceMs } from './say-who-is-missing.ts';

const pollMs = 1_000;
const settled: ReadonlySet<RunState> = new Set(['needs-attention', 'succeeded', 'failed', 'cancelled', 'terminated']);

function progressText({ run, nodes }: RunView): string {
  const count = (status: string) => nodes.filter((node) => node.status === status).length;
  const parts = [`${run.title}: ${run.state}`, `${count('succeeded')} nodes done`];
  const running = nodes
    .filter((node) => node.status === 'running' || node.status === 'awaiting')
    .map((node) => node.key);
  if (running.length > 0) parts.push(running.slice(0, 3).join(', '));
  if (count('failed') > 0) parts.push(`${count('failed')} failed`);
  return parts.join(' · ');
}

/** Follows a run until it has ended or asks for a person. The signal cancels the run. */
export async function waitForRun(
  api: ApiClient,
  runId: string,
  reporter: Reporter,
  signal: AbortSignal,
): Promise<RunView> {
  const following = new AbortController();
  let wake: () => void = () => {};
  const follow = async () => {
    for await (const _ of api.events({ run: runId, signal: following.signal })) wake();
  };
  // The run is asked every second anyway: a stream that fails costs no more than a little time.
  follow().catch(() => {});
  let cancelling = false;
  let shown = '';
  let changedAt = performance.now();
  try {
    for (;;) {
      const view = await api.run(runId);
      if (settled.has(view.run.state)) {
        reporter.line(progressText(view));
        return view;
      }
      const text = progressText(view);
      reporter.update(text);
      if (text !== shown || performance.now() - changedAt > silenceMs) {
        if (text === shown) await sayWhoIsMissing(api, reporter);
        shown = text;
        changedAt = performance.now();
      }
      if (signal.aborted && !cancelling) {
        cancelling = true;
        reporter.line('Cancelling the run');
        await api.cancelRun(runId).catch((thrown: unknown) => {
          if (toForgeError(thrown).code !== 'run.state') throw thrown;
        });
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pollMs);
        wake = () => {
          clearTimeout(timer);
          setTimeout(resolve, 100);
        };
      });
    }
  } finally {
    following.abort();
  }
}
