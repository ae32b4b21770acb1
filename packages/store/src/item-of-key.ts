import { nodeOfKey } from './node-of-key.ts';

export interface ItemOfKey {
  /** Path of the map. */
  map: string | null;
  index: number | null;
  /** The node inside the item, whichever iteration of it. */
  node: string;
}

/** The innermost map item that a path lies in: `each[3]/inner[2]/polish#1/check` is `polish/check` in item 2 of `each[3]/inner`. */
export function itemOfKey(key: string): ItemOfKey {
  const match = /^(.+)\[(\d+)\](?:\/(.*))?$/.exec(key);
  return match === null
    ? { map: null, index: null, node: nodeOfKey(key) }
    : { map: match[1] ?? null, index: Number(match[2]), node: nodeOfKey(match[3] ?? '') };
}
