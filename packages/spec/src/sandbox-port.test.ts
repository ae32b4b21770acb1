import fc from 'fast-check';
import { expect, it } from 'vitest';
import { onScreen, SandboxOptions } from './sandbox-port.ts';

it('maps every pixel of an unscaled image to its own', () => {
  const frame = { region: { x: 30, y: 7, width: 50, height: 40 }, width: 50, height: 40 };
  for (let x = 0; x < 50; x++) expect(onScreen(frame, { x, y: x % 40 })).toEqual({ x: 30 + x, y: 7 + (x % 40) });
});

it('maps into the region, in order, and the middle of a halved image to the middle of two pixels', () => {
  const size = fc.integer({ min: 1, max: 4000 });
  fc.assert(
    fc.property(size, size, fc.integer({ min: 0, max: 3999 }), (pixels, width, at) => {
      const frame = { region: { x: 5, y: 0, width: pixels, height: 1 }, width, height: 1 };
      const x = at % width;
      const here = onScreen(frame, { x, y: 0 }).x;
      expect(here).toBeGreaterThanOrEqual(5);
      expect(here).toBeLessThan(5 + pixels);
      if (x > 0) expect(onScreen(frame, { x: x - 1, y: 0 }).x).toBeLessThanOrEqual(here);
    }),
  );
  expect(
    onScreen({ region: { x: 0, y: 0, width: 1920, height: 1080 }, width: 960, height: 540 }, { x: 0, y: 539 }),
  ).toEqual({ x: 1, y: 1079 });
});

it('refuses options that would reach the command line as something else', () => {
  expect(SandboxOptions.safeParse({ timezone: '../../etc' }).success).toBe(false);
  expect(SandboxOptions.safeParse({ locale: 'C; id' }).success).toBe(false);
  expect(SandboxOptions.parse({})).toMatchObject({ target: 'minimal', memoryMb: 2048 });
});
