import { DOMParser, type Element } from '@xmldom/xmldom';

const isElement = (node: { nodeType: number }): node is Element => node.nodeType === 1;

/** Parses a part of an office file. @throws Error when it is no well-formed XML */
export function parseXml(bytes: Uint8Array): Element {
  const parser = new DOMParser({
    onError(level, message) {
      if (level !== 'warning') throw new Error(message);
    },
  });
  const root = parser.parseFromString(new TextDecoder().decode(bytes), 'text/xml').documentElement;
  if (root === null) throw new Error('the part has no element');
  return root;
}

export function children(element: Element | undefined, name?: string): Element[] {
  const found: Element[] = [];
  for (let node = element?.firstChild ?? null; node !== null; node = node.nextSibling)
    if (isElement(node) && (name === undefined || node.localName === name)) found.push(node);
  return found;
}

/** The first child with a name, or along a path of names. */
export function child(element: Element | undefined, ...path: readonly string[]): Element | undefined {
  let at = element;
  for (const name of path) at = children(at, name)[0];
  return at;
}

/** An attribute by its local name, or by its prefixed one where two differ only in that. */
export function attribute(element: Element | undefined, name: string): string | undefined {
  if (element === undefined) return undefined;
  for (const each of Array.from(element.attributes))
    if (each.name === name || (!name.includes(':') && each.localName === name)) return each.value;
  return undefined;
}

export function numeric(element: Element | undefined, name: string): number | undefined {
  const text = attribute(element, name);
  const found = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(found) ? found : undefined;
}

/** A switch such as `<w:b/>`: on unless its value says otherwise; undefined where it is not there. */
export function flag(element: Element | undefined): boolean | undefined {
  if (element === undefined) return undefined;
  return !['0', 'false', 'off', 'none'].includes(attribute(element, 'val') ?? 'true');
}

export const descendants = (element: Element | undefined, name: string): Element[] =>
  element === undefined ? [] : Array.from(element.getElementsByTagNameNS('*', name));
export type { Element };
