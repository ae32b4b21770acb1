import { canonicalJson } from '@cua-forge/spec/canonical-json';
import { Json } from '@cua-forge/spec/json';
import type { Check } from './check.ts';

/** Where two values differ first, as a path such as `rates[2].name`; undefined when they are equal. */
function difference(wanted: Json, found: Json | undefined, path = 'the value'): string | undefined {
  if (found === undefined) return `${path} is missing`;
  if (Array.isArray(wanted) && Array.isArray(found)) {
    if (wanted.length !== found.length) return `${path}: expected ${wanted.length} members, found ${found.length}`;
    for (const [index, member] of wanted.entries()) {
      const inside = difference(member, found[index], `${path}[${index}]`);
      if (inside !== undefined) return inside;
    }
    return undefined;
  }
  if (typeof wanted === 'object' && wanted !== null && !Array.isArray(wanted)) {
    if (typeof found !== 'object' || found === null || Array.isArray(found)) return `${path}: expected an object`;
    const strange = Object.keys(found).find((key) => !(key in wanted));
    if (strange !== undefined) return `${path} has ${strange}, which is not specified`;
    for (const [key, member] of Object.entries(wanted)) {
      const inside = difference(member, found[key], path === 'the value' ? key : `${path}.${key}`);
      if (inside !== undefined) return inside;
    }
    return undefined;
  }
  return canonicalJson(wanted) === canonicalJson(found)
    ? undefined
    : `${path}: expected ${JSON.stringify(wanted)}, found ${JSON.stringify(found).slice(0, 80)}`;
}

/** Compares the bytes of a JSON file with a specified value; the order of members does not count. */
export function compareJson(bytes: Uint8Array, wanted: Json): Check[] {
  let found: Json;
  try {
    found = Json.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch (thrown) {
    const detail = thrown instanceof Error ? thrown.message : String(thrown);
    return [{ check: 'the file is JSON in UTF-8', ok: false, detail }];
  }
  const wrong = difference(wanted, found);
  return [
    { check: 'the file is JSON in UTF-8', ok: true, detail: `${bytes.byteLength} bytes` },
    { check: 'every value', ok: wrong === undefined, detail: wrong ?? 'the value is as specified' },
  ];
}
