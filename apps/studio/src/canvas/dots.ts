import { GRID } from '../document/arrange.ts';

/** Nearest that two dots come to each other on the screen, in pixels. */
const NEAREST = 16;

/** Pixels between two dots at a zoom: those of the grid, or of every second, fourth, … of its lines. */
export function dotsApart(zoom: number): number {
  let apart = GRID * zoom;
  while (apart < NEAREST) apart *= 2;
  return apart;
}

/** How far the ground, which begins one step outside the canvas and has its dots in the middle of its tiles, is moved so that dots lie on the grid. */
export function offsetOf(origin: number, apart: number): number {
  const from = (origin - apart / 2) % apart;
  return from < 0 ? from + apart : from;
}
