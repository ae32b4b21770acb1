import { expect, it } from 'vitest';
import { ForgeError } from './errors.ts';
import { replayActions } from './replay-actions.ts';
import type { Sandbox } from './sandbox-port.ts';
import { RecordedActions } from './solution.ts';

/** A desktop that writes down what is done to it. */
function paper(still: () => Promise<number>) {
  const done: unknown[] = [];
  const note =
    (name: string) =>
    async (...given: unknown[]) =>
      void done.push([name, ...given]);
  const desk = {
    screen: { width: 800, height: 600 },
    move: note('move'),
    click: note('click'),
    drag: note('drag'),
    scroll: note('scroll'),
    type: note('type'),
    key: note('key'),
    waitForWindow: note('waitForWindow'),
    waitForStill: still,
  };
  // Only what a replay uses.
  return { done, desk: desk as unknown as Sandbox };
}

const recorded = (width = 800) =>
  RecordedActions.parse({
    schema: 1,
    screen: { width, height: 600 },
    actions: [
      { do: 'wait-window', at: 0, title: 'Calc' },
      { do: 'click', at: 1, point: { x: 1, y: 2 }, count: 2, modifiers: ['ctrl'] },
      { do: 'type', at: 2, text: '=SUM(A1:A3)' },
      { do: 'key', at: 3, combination: 'ctrl+s' },
    ],
  });

it('does each action in its order and waits between them, however long the hands took', async () => {
  let waits = 0;
  const { desk, done } = paper(async () => ++waits);
  const seen: number[] = [];
  await replayActions(desk, recorded(), { onAction: (index) => seen.push(index) });
  expect(done).toEqual([
    ['waitForWindow', { title: 'Calc' }, { timeoutMs: 60_000 }],
    ['click', { x: 1, y: 2 }, { button: 'left', modifiers: ['ctrl'], count: 2 }],
    ['type', '=SUM(A1:A3)', { delayMs: 5 }],
    ['key', 'ctrl+s', { count: 1 }],
  ]);
  expect(waits).toBe(4);
  expect(seen).toEqual([0, 1, 2, 3]);
});

it('goes on where the screen is never still, and not where the desktop is lost', async () => {
  const restless = paper(() => Promise.reject(new ForgeError('sandbox.timeout', 'not still')));
  await replayActions(restless.desk, recorded());
  expect(restless.done).toHaveLength(4);
  const lost = paper(() => Promise.reject(new ForgeError('sandbox.lost', 'gone')));
  await expect(replayActions(lost.desk, recorded())).rejects.toMatchObject({ code: 'sandbox.lost' });
});

it('refuses a screen of another size', async () => {
  const { desk } = paper(async () => 0);
  await expect(replayActions(desk, recorded(1920))).rejects.toMatchObject({ code: 'sandbox.refused' });
});
