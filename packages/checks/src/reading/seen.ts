/** A value as a check sees it; `null` is an empty place. Dates are ISO texts. */
export type Scalar = string | number | boolean | null;

export interface Pixels {
  width: number;
  height: number;
  /** Red, green, blue and opacity of each pixel, row by row. */
  data: Uint8Array;
}

/** What a look has found. `missing` means that the place itself is not there, so that nothing can be said about it. */
export type Seen =
  | { kind: 'value'; value: Scalar }
  | { kind: 'list'; members: Scalar[] }
  | { kind: 'pixels'; pixels: Pixels }
  | { kind: 'missing'; why: string };

export const value = (found: Scalar | undefined): Seen => ({ kind: 'value', value: found ?? null });
export const list = (members: readonly (Scalar | undefined)[]): Seen => ({
  kind: 'list',
  members: members.map((one) => one ?? null),
});
export const missing = (why: string): Seen => ({ kind: 'missing', why });

/** `RRGGBB` of a colour with or without opacity in front. */
export const rgb = (color: string): string => color.slice(-6).toUpperCase();

/** What all have in common: the value, `mixed` when they differ, null when there are none. */
export function common(values: readonly Scalar[]): Scalar {
  const [first = null] = values;
  return values.every((one) => one === first) ? first : 'mixed';
}
