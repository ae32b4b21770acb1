import { ForgeError } from './errors.ts';
import type { Sandbox } from './sandbox-port.ts';
import type { RecordedAction, RecordedActions } from './solution.ts';

export interface ReplayOptions {
  signal?: AbortSignal | undefined;
  /** Told before each action. */
  onAction?: (done: number, of: number, action: RecordedAction) => void;
  /** Milliseconds that pixels have to be still before the next action. */
  quietMs?: number;
  /** Milliseconds after which an action is tried on a screen that is never still, such as one that plays a film. */
  patienceMs?: number;
}

/** Does again what was recorded, on another desktop of the same size. It goes on as soon as the screen is still, not when the hands did. */
export async function replayActions(
  sandbox: Sandbox,
  { screen, actions }: RecordedActions,
  { signal, onAction, quietMs = 250, patienceMs = 5_000 }: ReplayOptions = {},
): Promise<void> {
  if (screen.width !== sandbox.screen.width || screen.height !== sandbox.screen.height)
    throw new ForgeError(
      'sandbox.refused',
      `The recording is of a screen of ${screen.width} x ${screen.height} pixels; this one has ${sandbox.screen.width} x ${sandbox.screen.height}.`,
      { fix: 'Start a sandbox of the recorded size.' },
    );
  for (const [index, action] of actions.entries()) {
    signal?.throwIfAborted();
    onAction?.(index, actions.length, action);
    await act(sandbox, action, signal);
    await settle(sandbox, quietMs, patienceMs, signal);
  }
}

async function act(sandbox: Sandbox, action: RecordedAction, signal: AbortSignal | undefined): Promise<void> {
  const stop = signal === undefined ? {} : { signal };
  switch (action.do) {
    case 'move':
      return sandbox.move(action.point);
    case 'click':
      return sandbox.click(action.point, {
        button: action.button,
        modifiers: action.modifiers,
        count: action.count === 1 ? 1 : action.count === 2 ? 2 : 3,
      });
    case 'drag':
      return sandbox.drag(action.path, {
        button: action.button,
        modifiers: action.modifiers,
        durationMs: Math.min(10_000, action.durationMs),
      });
    case 'scroll':
      return sandbox.scroll(action.point, action.direction, { clicks: action.clicks, modifiers: action.modifiers });
    case 'type':
      return sandbox.type(action.text, { delayMs: 5, ...stop });
    case 'key':
      return sandbox.key(action.combination, { count: action.count });
    case 'wait-window':
      await sandbox.waitForWindow(
        {
          ...(action.title === undefined ? {} : { title: action.title }),
          ...(action.class === undefined ? {} : { class: action.class }),
        },
        { timeoutMs: action.timeoutMs, ...stop },
      );
      return;
    case 'wait-still':
      await sandbox.waitForStill({ timeoutMs: action.timeoutMs, ...stop });
  }
}

async function settle(sandbox: Sandbox, quietMs: number, timeoutMs: number, signal: AbortSignal | undefined) {
  try {
    await sandbox.waitForStill({ quietMs, timeoutMs, ...(signal === undefined ? {} : { signal }) });
  } catch (error) {
    if (!(error instanceof ForgeError && error.code === 'sandbox.timeout')) throw error;
  }
}
