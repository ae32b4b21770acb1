import { ForgeError } from '@cua-forge/spec/errors';
import type { ScreenPoint } from '@cua-forge/spec/sandbox-messages';
import type { Sandbox } from '@cua-forge/spec/sandbox-port';
import type { RecordedAction, RecordedActions } from '@cua-forge/spec/solution';

/** Milliseconds that pixels have to stay as they are before the next action, and that this is waited for at most. */
const quietMs = 150;
const patienceMs = 5_000;

/**
 * Repeats what was recorded. Points are scaled where the screen has another size. After each action it waits for still pixels, so that it goes as fast as the
 * applications follow.
 * @throws ForgeError `sandbox.timeout` when all of it takes longer than `timeoutMs`; what the sandbox throws
 */
export async function replayActions(
  sandbox: Sandbox,
  { screen, actions }: RecordedActions,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<void> {
  const end = Date.now() + timeoutMs;
  const scaled = ({ x, y }: ScreenPoint): ScreenPoint => ({
    x: Math.min(sandbox.screen.width - 1, Math.floor((x * sandbox.screen.width) / screen.width)),
    y: Math.min(sandbox.screen.height - 1, Math.floor((y * sandbox.screen.height) / screen.height)),
  });
  for (const [index, action] of actions.entries()) {
    signal.throwIfAborted();
    if (Date.now() > end)
      throw new ForgeError('sandbox.timeout', `After ${index} of ${actions.length} recorded actions the time was up.`);
    await replayOne(sandbox, action, scaled, signal);
    // Something that never rests, such as a clock, is no reason to stop.
    await sandbox.waitForStill({ quietMs, timeoutMs: patienceMs, tolerance: 400, signal }).catch(ifNotStill);
  }
}

function ifNotStill(thrown: unknown): number {
  if (thrown instanceof ForgeError && thrown.code === 'sandbox.timeout') return patienceMs;
  throw thrown;
}

async function replayOne(
  sandbox: Sandbox,
  action: RecordedAction,
  scaled: (point: ScreenPoint) => ScreenPoint,
  signal: AbortSignal,
): Promise<void> {
  switch (action.do) {
    case 'move':
      return sandbox.move(scaled(action.point));
    case 'click':
      return sandbox.click(scaled(action.point), {
        button: action.button,
        count: action.count === 1 || action.count === 2 ? action.count : 3,
        modifiers: action.modifiers,
      });
    case 'drag':
      return sandbox.drag(action.path.map(scaled), {
        button: action.button,
        modifiers: action.modifiers,
        durationMs: action.durationMs,
      });
    case 'scroll':
      return sandbox.scroll(scaled(action.point), action.direction, {
        clicks: action.clicks,
        modifiers: action.modifiers,
      });
    case 'type':
      return sandbox.type(action.text, { signal });
    case 'key':
      return sandbox.key(action.combination, { count: action.count });
    case 'wait-window': {
      const wanted = {
        ...(action.title === undefined ? {} : { title: action.title }),
        ...(action.class === undefined ? {} : { class: action.class }),
      };
      await sandbox.waitForWindow(wanted, { timeoutMs: action.timeoutMs, signal });
      return;
    }
    case 'wait-still':
      await sandbox.waitForStill({ timeoutMs: action.timeoutMs, signal }).catch(ifNotStill);
  }
}
