import { RecordedActions } from '@cua-forge/spec/solution';
import { describe, expect, it } from 'vitest';
import { actionsOfInput } from './actions-of-input.ts';
import { type InputEvent, RfbInput } from './rfb-input.ts';

/** A hand: times go on by themselves. */
function hand() {
  const events: InputEvent[] = [];
  let at = 0;
  let place = { x: 0, y: 0 };
  const me = {
    wait(ms: number) {
      at += ms;
      return me;
    },
    mouse(buttons: number, x = place.x, y = place.y) {
      at += 10;
      place = { x, y };
      events.push({ at, kind: 'pointer', buttons, x, y });
      return me;
    },
    click: (x: number, y: number, button = 1) => me.mouse(0, x, y).mouse(button).mouse(0),
    down(keysym: number) {
      at += 10;
      events.push({ at, kind: 'key', down: true, keysym });
      return me;
    },
    up(keysym: number) {
      at += 10;
      events.push({ at, kind: 'key', down: false, keysym });
      return me;
    },
    press: (keysym: number) => me.down(keysym).up(keysym),
    text(text: string) {
      for (const one of text) {
        const code = one.codePointAt(0) ?? 0;
        me.press(code <= 0xff ? code : 0x01000000 + code);
      }
      return me;
    },
    actions: () => actionsOfInput(events).map(({ at: _at, ...action }) => action),
    events,
  };
  return me;
}

const [shift, ctrl, alt] = [0xffe1, 0xffe3, 0xffe9];

describe('what hands did', () => {
  it('is clicks, double clicks and clicks with modifiers', () => {
    const me = hand().click(100, 50).click(102, 51).wait(3_000).click(300, 200, 4);
    me.down(ctrl).click(10, 20).up(ctrl);
    expect(me.actions()).toEqual([
      { do: 'click', point: { x: 100, y: 50 }, button: 'left', count: 2, modifiers: [] },
      { do: 'click', point: { x: 300, y: 200 }, button: 'right', count: 1, modifiers: [] },
      { do: 'click', point: { x: 10, y: 20 }, button: 'left', count: 1, modifiers: ['ctrl'] },
    ]);
  });

  it('is drags with their path, and turns of the wheel', () => {
    const me = hand().mouse(0, 10, 10).mouse(1).mouse(1, 60, 30).mouse(1, 110, 50).mouse(0);
    me.mouse(0, 400, 400).mouse(16).mouse(0).mouse(16).mouse(0).mouse(8).mouse(0);
    expect(me.actions()).toEqual([
      {
        do: 'drag',
        path: [
          { x: 10, y: 10 },
          { x: 60, y: 30 },
          { x: 110, y: 50 },
        ],
        button: 'left',
        modifiers: [],
        durationMs: 30,
      },
      { do: 'scroll', point: { x: 400, y: 400 }, direction: 'down', clicks: 2, modifiers: [] },
      { do: 'scroll', point: { x: 400, y: 400 }, direction: 'up', clicks: 1, modifiers: [] },
    ]);
  });

  it('is text with its capitals and signs of all scripts, and keys by name between', () => {
    const me = hand().down(shift).text('Ü').up(shift).text('ber €世');
    me.press(0xff0d).press(0xff54).press(0xff54).wait(2_500).text('x');
    expect(me.actions()).toEqual([
      { do: 'type', text: 'Über €世' },
      { do: 'key', combination: 'Return', count: 1 },
      { do: 'key', combination: 'Down', count: 2 },
      { do: 'type', text: 'x' },
    ]);
  });

  it('is combinations, with shift where a command has it, and a modifier that is pressed alone', () => {
    const me = hand().down(ctrl).press(0x73).down(shift).press(0x54).up(shift).up(ctrl);
    me.press(alt).down(shift).press(0xff53).up(shift).press(shift).press(0x06c1);
    expect(me.actions()).toEqual([
      { do: 'key', combination: 'ctrl+s', count: 1 },
      { do: 'key', combination: 'ctrl+shift+t', count: 1 },
      { do: 'key', combination: 'alt', count: 1 },
      { do: 'key', combination: 'shift+Right', count: 1 },
      { do: 'key', combination: '0x06c1', count: 1 },
    ]);
  });

  it('keeps a rest of the pointer that shows something, and no other move', () => {
    const me = hand().mouse(0, 5, 5).mouse(0, 80, 80).wait(900).mouse(0, 200, 80).mouse(1).mouse(0);
    expect(me.actions()).toEqual([
      { do: 'move', point: { x: 80, y: 80 } },
      { do: 'click', point: { x: 200, y: 80 }, button: 'left', count: 1, modifiers: [] },
    ]);
  });

  it('is a recording that a package can hold', () => {
    const actions = actionsOfInput(hand().click(1, 1).text('a').events);
    expect(RecordedActions.parse({ schema: 1, screen: { width: 800, height: 600 }, actions }).actions).toEqual(actions);
  });
});

describe('what a viewer sends', () => {
  const greeting = Buffer.concat([Buffer.from('RFB 003.008\n'), Buffer.from([1, 1])]);
  const pointer = Buffer.from([5, 1, 0, 10, 1, 0]);
  const key = Buffer.from([4, 1, 0, 0, 0, 0, 0, 0x61]);
  const extended = Buffer.from([255, 0, 0, 1, 0, 0, 0, 0x62, 0, 0, 0, 0x30]);
  const others = [
    Buffer.concat([Buffer.from([0]), Buffer.alloc(19)]),
    Buffer.concat([Buffer.from([2, 0, 0, 3]), Buffer.alloc(12)]),
    Buffer.concat([Buffer.from([3]), Buffer.alloc(9)]),
    Buffer.concat([Buffer.from([6, 0, 0, 0, 0, 0, 0, 5]), Buffer.from('hello')]),
    Buffer.concat([Buffer.from([150]), Buffer.alloc(9)]),
    Buffer.concat([Buffer.from([248, 0, 0, 0, 0, 0, 0, 0, 2]), Buffer.alloc(2)]),
    Buffer.concat([Buffer.from([251, 0, 0, 1, 0, 1, 1, 0]), Buffer.alloc(16)]),
  ];
  const expected = [
    { at: 7, kind: 'pointer', buttons: 1, x: 10, y: 256 },
    { at: 7, kind: 'key', down: true, keysym: 0x61 },
    { at: 7, kind: 'key', down: true, keysym: 0x62 },
  ];

  it.each([1, 3, 1000])('is read from pieces of %d bytes', (size) => {
    const events: InputEvent[] = [];
    const input = new RfbInput(
      (event) => events.push(event),
      () => 7,
    );
    const bytes = Buffer.concat([greeting, ...others, pointer, ...others, key, extended]);
    for (let start = 0; start < bytes.length; start += size) input.take(bytes.subarray(start, start + size));
    expect(events).toEqual(expected);
  });

  it('is ignored from a message on that is unknown or too long', () => {
    const events: InputEvent[] = [];
    const input = new RfbInput(
      (event) => events.push(event),
      () => 7,
    );
    input.take(greeting);
    input.take(pointer);
    input.take(Buffer.from([6, 0, 0, 0, 0x7f, 0, 0, 0]));
    input.take(key);
    expect(events).toEqual(expected.slice(0, 1));
  });
});
