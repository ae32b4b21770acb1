import type { Alignment, Run, StyleLook } from '@cua-forge/spec/text-document';
import { attribute, child, children, type Element, flag, numeric } from './xml.ts';

/** What a .docx says of its styles and lists, by the ids that paragraphs use. */
export interface Styles {
  nameOf(id: string | undefined): string;
  /** Look of each style by its name, with what it inherits. */
  looks: ReadonlyMap<string, StyleLook>;
  /** Numbering that a style brings along. */
  numberingOf(id: string | undefined): Element | undefined;
}

const properName = (name: string) => {
  const level = /^heading (\d)$/i.exec(name)?.[1];
  if (level !== undefined) return `Heading ${level}`;
  return name.slice(0, 1).toUpperCase() + name.slice(1);
};

export function alignmentOf(properties: Element | undefined): Alignment | undefined {
  switch (attribute(child(properties, 'jc'), 'val')) {
    case 'left':
    case 'start':
      return 'left';
    case 'center':
      return 'center';
    case 'right':
    case 'end':
      return 'right';
    case 'both':
    case 'distribute':
      return 'justify';
    default:
      return undefined;
  }
}

export const colorOf = (value: string | undefined): string | undefined =>
  value !== undefined && /^[0-9a-f]{6}$/i.test(value) ? value.toUpperCase() : undefined;

/** Look of a run's (or a style's) own properties. */
export function lookOf(properties: Element | undefined): Omit<Run, 'text' | 'field'> {
  const font = attribute(child(properties, 'rFonts'), 'ascii');
  const size = numeric(child(properties, 'sz'), 'val');
  const bold = flag(child(properties, 'b'));
  const italic = flag(child(properties, 'i'));
  const underline = flag(child(properties, 'u'));
  const color = colorOf(attribute(child(properties, 'color'), 'val'));
  return {
    ...(bold === undefined ? {} : { bold }),
    ...(italic === undefined ? {} : { italic }),
    ...(underline === undefined ? {} : { underline }),
    ...(size === undefined || size <= 0 ? {} : { size: Math.min(size / 2, 400) }),
    ...(color === undefined ? {} : { color }),
    ...(font === undefined || font === '' ? {} : { font }),
  };
}

const points = (twips: number | undefined): number | undefined =>
  twips === undefined ? undefined : Math.min(Math.max(twips / 20, 0), 2_000);

/** Space above and below a paragraph in points, and the distance of its lines as a multiple. */
export function spacingOf(properties: Element | undefined): { before?: number; after?: number; lines?: number } {
  const spacing = child(properties, 'spacing');
  const [before, after] = [points(numeric(spacing, 'before')), points(numeric(spacing, 'after'))];
  const line = numeric(spacing, 'line');
  const isMultiple = (attribute(spacing, 'lineRule') ?? 'auto') === 'auto';
  return {
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    ...(line === undefined || !isMultiple || line <= 0 ? {} : { lines: Math.min(line / 240, 10) }),
  };
}

function styleLook(style: Element | undefined): StyleLook {
  const { underline: _, ...look } = lookOf(child(style, 'rPr'));
  const { lines: __, ...spacing } = spacingOf(child(style, 'pPr'));
  const align = alignmentOf(child(style, 'pPr'));
  return { ...look, ...spacing, ...(align === undefined ? {} : { align }) };
}

/** Reads `word/styles.xml`; without one every paragraph is Normal. */
export function readStyles(root: Element | undefined): Styles {
  const byId = new Map<string, Element>();
  let normal: string | undefined;
  for (const style of root === undefined ? [] : children(root)) {
    const id = attribute(style, 'styleId');
    if (style.localName !== 'style' || id === undefined || attribute(style, 'type') !== 'paragraph') continue;
    byId.set(id, style);
    if (['1', 'true'].includes(attribute(style, 'default') ?? '')) normal = id;
  }
  const nameOf = (id: string | undefined): string => {
    const own = id ?? normal;
    if (own === undefined) return 'Normal';
    return properName(attribute(child(byId.get(own), 'name'), 'val') ?? own);
  };
  const defaults = styleLook(child(root, 'docDefaults', 'rPrDefault'));
  const resolved = (id: string, depth = 0): StyleLook => {
    const style = byId.get(id);
    const base = attribute(child(style, 'basedOn'), 'val');
    const inherited = base === undefined || depth > 10 ? {} : resolved(base, depth + 1);
    return { ...inherited, ...styleLook(style) };
  };
  const looks = new Map<string, StyleLook>();
  for (const id of byId.keys()) {
    const look = resolved(id);
    looks.set(nameOf(id), { ...defaults, ...look });
  }
  return {
    nameOf,
    looks,
    numberingOf: (id) => child(byId.get(id ?? normal ?? ''), 'pPr', 'numPr'),
  };
}
