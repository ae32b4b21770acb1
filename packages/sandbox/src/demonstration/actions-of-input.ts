import type { MouseButton, ScreenPoint, ScrollDirection } from '@cua-forge/spec/sandbox-messages';
import type { RecordedAction } from '@cua-forge/spec/solution';
import { characterOf, isLock, keyName, modifierNames } from './keysyms.ts';
import type { InputEvent } from './rfb-input.ts';

/** Pixels that a hand may tremble during a click. */
const clickSlack = 4;
/** Milliseconds within which clicks at one place are one double or triple click. */
const multipleClickMs = 500;
/** Milliseconds of rest after which the pointer is there for a reason: a menu opens, a tip shows. */
const restMs = 400;
/** Milliseconds after which more text, turns of the wheel or strokes of one key are an action of their own. */
const pauseMs = 2_000;
const longestPath = 1_000;

const buttons: ReadonlyMap<number, MouseButton> = new Map([
  [1, 'left'],
  [2, 'middle'],
  [4, 'right'],
  [128, 'back'],
  [256, 'forward'],
]);
const wheel: ReadonlyMap<number, ScrollDirection> = new Map([
  [8, 'up'],
  [16, 'down'],
  [32, 'left'],
  [64, 'right'],
]);

const far = (a: ScreenPoint, b: ScreenPoint): number => Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y));

interface Press {
  at: number;
  button: MouseButton;
  path: ScreenPoint[];
  modifiers: string[];
}

/** Turns what hands did into the actions that it amounts to: clicks and double clicks, drags, turns of the wheel, text, combinations of keys. */
export function actionsOfInput(events: readonly InputEvent[]): RecordedAction[] {
  const recorder = new Recorder();
  for (const event of events) recorder.take(event);
  return recorder.end();
}

class Recorder {
  readonly #actions: RecordedAction[] = [];
  readonly #held = new Map<number, { name: string; used: boolean; at: number }>();
  #buttons = 0;
  #point: ScreenPoint = { x: 0, y: 0 };
  #movedAt: number | null = null;
  #press: Press | null = null;
  #lastKeyAt = Number.NEGATIVE_INFINITY;

  take(event: InputEvent): void {
    if (event.kind === 'pointer') this.#pointer(event);
    else this.#key(event);
  }

  end(): RecordedAction[] {
    if (this.#press !== null) this.#release(this.#press.at);
    return this.#actions;
  }

  get #modifiers(): string[] {
    for (const one of this.#held.values()) one.used = true;
    return [...new Set([...this.#held.values()].map(({ name }) => name))];
  }

  #pointer({ at, buttons: mask, x, y }: Extract<InputEvent, { kind: 'pointer' }>): void {
    const point = { x, y };
    const moved = far(point, this.#point) > 0;
    if (moved) {
      this.#restedBefore(at);
      if (this.#press === null) this.#movedAt = at;
      else this.#press.path.push(point);
      this.#point = point;
    }
    const pressed = mask & ~this.#buttons;
    const released = this.#buttons & ~mask;
    this.#buttons = mask;
    for (const [bit, direction] of wheel) if ((pressed & bit) !== 0) this.#scroll(at, direction);
    for (const [bit, button] of buttons) {
      if ((released & bit) !== 0 && this.#press?.button === button) this.#release(at);
      if ((pressed & bit) !== 0) {
        if (this.#press !== null) this.#release(at);
        this.#movedAt = null;
        this.#press = { at, button, path: [point], modifiers: this.#modifiers };
      }
    }
  }

  /** A pointer that stayed somewhere before it went on, without a click there, was there for what that shows. */
  #restedBefore(at: number): void {
    if (this.#movedAt !== null && at - this.#movedAt >= restMs)
      this.#actions.push({ do: 'move', at: this.#movedAt, point: this.#point });
    this.#movedAt = null;
  }

  #release(at: number): void {
    const press = this.#press;
    this.#press = null;
    if (press === null) return;
    const { path, button, modifiers } = press;
    const [start] = path;
    if (start === undefined) return;
    if (path.some((point) => far(point, start) > clickSlack)) {
      this.#actions.push({
        do: 'drag',
        at: press.at,
        path: thinned(path),
        button,
        modifiers,
        durationMs: Math.min(10_000, at - press.at),
      });
      return;
    }
    const last = this.#actions.at(-1);
    if (
      last?.do === 'click' &&
      last.count < 3 &&
      last.button === button &&
      press.at - last.at <= multipleClickMs * last.count &&
      far(last.point, start) <= clickSlack &&
      last.modifiers.join() === modifiers.join()
    )
      this.#actions[this.#actions.length - 1] = { ...last, count: last.count + 1 };
    else this.#actions.push({ do: 'click', at: press.at, point: start, button, count: 1, modifiers });
  }

  #scroll(at: number, direction: ScrollDirection): void {
    const modifiers = this.#modifiers;
    this.#movedAt = null;
    const last = this.#actions.at(-1);
    if (
      last?.do === 'scroll' &&
      last.direction === direction &&
      at - last.at <= pauseMs &&
      far(last.point, this.#point) <= clickSlack &&
      last.clicks < 100 &&
      last.modifiers.join() === modifiers.join()
    )
      this.#actions[this.#actions.length - 1] = { ...last, clicks: last.clicks + 1 };
    else this.#actions.push({ do: 'scroll', at, point: this.#point, direction, clicks: 1, modifiers });
  }

  #key({ at, down, keysym }: Extract<InputEvent, { kind: 'key' }>): void {
    const modifier = modifierNames[keysym];
    if (modifier !== undefined) {
      const before = this.#held.get(keysym);
      if (down) this.#held.set(keysym, before ?? { name: modifier, used: false, at });
      else {
        this.#held.delete(keysym);
        // Pressed and let go alone: it opens a menu. Shift alone does nothing.
        if (before !== undefined && !before.used && before.name !== 'shift') this.#stroke(before.at, before.name);
      }
      return;
    }
    if (!down || isLock(keysym)) return;
    this.#movedAt = null;
    const held = this.#modifiers;
    const character = characterOf(keysym);
    // Shift and the third level are in the character already.
    const commands = held.filter((name) => name !== 'shift' && name !== 'ISO_Level3_Shift');
    if (character !== null && commands.length === 0) this.#write(at, character);
    else
      this.#stroke(
        at,
        [
          ...(character === null ? held : held.includes('shift') ? [...commands, 'shift'] : commands),
          character?.toLowerCase() ?? keyName(keysym),
        ].join('+'),
      );
  }

  #write(at: number, character: string): void {
    const last = this.#actions.at(-1);
    if (last?.do === 'type' && at - this.#lastKeyAt <= pauseMs)
      this.#actions[this.#actions.length - 1] = { ...last, text: last.text + character };
    else this.#actions.push({ do: 'type', at, text: character });
    this.#lastKeyAt = at;
  }

  #stroke(at: number, combination: string): void {
    const last = this.#actions.at(-1);
    if (last?.do === 'key' && last.combination === combination && at - this.#lastKeyAt <= pauseMs && last.count < 1_000)
      this.#actions[this.#actions.length - 1] = { ...last, count: last.count + 1 };
    else this.#actions.push({ do: 'key', at, combination, count: 1 });
    this.#lastKeyAt = at;
  }
}

/** Its first and last point, and of those between as many as a replay takes. */
function thinned(path: readonly ScreenPoint[]): ScreenPoint[] {
  const kept: ScreenPoint[] = [];
  for (const [index, point] of path.entries()) {
    const last = kept.at(-1);
    if (last === undefined || index === path.length - 1 || far(last, point) >= 3) kept.push(point);
  }
  const step = Math.ceil(kept.length / longestPath);
  return kept.filter((_point, index) => index % step === 0 || index === kept.length - 1);
}
