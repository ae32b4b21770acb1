import { DOMParser, type Element } from '@xmldom/xmldom';

/** Local names are enough: the parts of a text document use one prefix for each of their vocabularies. */
const isElement = (node: { nodeType: number }): node is Element => node.nodeType === 1;

/** Parses a part of a package. @throws Error when it is no well-formed XML */
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

export function children(element: Element): Element[] {
  const found: Element[] = [];
  for (let node = element.firstChild; node !== null; node = node.nextSibling) if (isElement(node)) found.push(node);
  return found;
}

/** The first child with a name, or along a path of names. */
export function child(element: Element | undefined, ...path: readonly string[]): Element | undefined {
  let at = element;
  for (const name of path) at = at === undefined ? undefined : children(at).find((each) => each.localName === name);
  return at;
}

/** An attribute by its local name. */
export function attribute(element: Element | undefined, name: string): string | undefined {
  if (element === undefined) return undefined;
  for (const each of Array.from(element.attributes)) if (each.localName === name) return each.value;
  return undefined;
}

/** An attribute that is a number. */
export function numeric(element: Element | undefined, name: string): number | undefined {
  const text = attribute(element, name);
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** A switch such as `<w:b/>`: on unless its value says otherwise; undefined where it is not there. */
export function flag(element: Element | undefined): boolean | undefined {
  if (element === undefined) return undefined;
  return !['0', 'false', 'off', 'none'].includes(attribute(element, 'val') ?? 'true');
}

/** All descendants with a local name, in document order. */
export function descendants(element: Element, name: string): Element[] {
  return Array.from(element.getElementsByTagNameNS('*', name));
}
export type { Element };
