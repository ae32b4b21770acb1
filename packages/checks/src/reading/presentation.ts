import type { Look } from '@cua-forge/spec/check-look';
import { ForgeError } from '@cua-forge/spec/errors';
import { readArchive, relationTarget } from './archive.ts';
import { common, list, missing, rgb, type Scalar, type Seen, value } from './seen.ts';
import { attribute, child, children, descendants, type Element, numeric, parseXml } from './xml.ts';

type Of<L extends Look['look']> = Extract<Look, { look: L }>;
type SlideLook = Of<'presentation'> | Of<'slide'> | Of<'shape'>;

const EMU = 12_700;
const shapeNames = new Set(['sp', 'pic', 'graphicFrame', 'grpSp', 'cxnSp']);
const points = (emu: number | undefined): Scalar => (emu === undefined ? null : emu / EMU);

const paragraphText = (paragraph: Element): string =>
  children(paragraph)
    .map((each) =>
      each.localName === 'br'
        ? '\n'
        : each.localName === 'r' || each.localName === 'fld'
          ? (child(each, 't')?.textContent ?? '')
          : '',
    )
    .join('');

const textOf = (shape: Element): string => descendants(shape, 'p').map(paragraphText).join('\n').trim();

const fillOf = (properties: Element | undefined): Scalar => {
  const solid = child(properties, 'solidFill');
  const color = attribute(child(solid, 'srgbClr'), 'val');
  const scheme = attribute(child(solid, 'schemeClr'), 'val');
  return color !== undefined ? rgb(color) : scheme !== undefined ? `theme ${scheme}` : null;
};

/** A .pptx that is open for looking. Looks that come from the layout or the theme alone are null. */
export class OpenPresentation {
  readonly #parts: Map<string, Uint8Array>;
  readonly #slides: string[];

  /** @throws ForgeError `file.unreadable` */
  constructor(name: string, bytes: Uint8Array) {
    this.#parts = readArchive(
      name,
      bytes,
      (member) => member.startsWith('ppt/') && (member.endsWith('.xml') || member.endsWith('.rels')),
    );
    const presentation = this.#part('ppt/presentation.xml');
    if (presentation === undefined) throw new ForgeError('file.unreadable', `${name} is no presentation.`);
    const targets = this.#relations('ppt/presentation.xml');
    // The order of the slides is that of this list, not of the parts' names.
    this.#slides = children(child(presentation, 'sldIdLst'), 'sldId').flatMap(
      (each) => targets.get(attribute(each, 'r:id') ?? '')?.part ?? [],
    );
  }

  look(see: SlideLook): Seen {
    if (see.look === 'presentation') return this.#presentation(see.of);
    const part = this.#slides[see.slide - 1];
    const slide = part === undefined ? undefined : this.#part(part);
    if (part === undefined || slide === undefined) return missing(`there are ${this.#slides.length} slides`);
    if (see.look === 'slide') return this.#slide(part, slide, see.of);
    const shapes = shapesOf(slide);
    const matching =
      typeof see.shape === 'number'
        ? shapes.slice(see.shape - 1, see.shape)
        : shapes.filter((each) => nameOf(each) === see.shape);
    const [shape] = matching;
    if (shape === undefined) return missing(`the shapes of slide ${see.slide} are ${shapes.map(nameOf).join(', ')}`);
    if (matching.length > 1) return missing(`${matching.length} shapes have the name ${see.shape}`);
    return value(shapeAspect(shape, see.of));
  }

  #part(name: string): Element | undefined {
    const bytes = this.#parts.get(name);
    return bytes === undefined ? undefined : parseXml(bytes);
  }

  #relations(part: string): Map<string, { part: string; type: string }> {
    const slash = part.lastIndexOf('/');
    const relations = this.#part(`${part.slice(0, slash)}/_rels/${part.slice(slash + 1)}.rels`);
    return new Map(
      children(relations).map((each) => [
        attribute(each, 'Id') ?? '',
        { part: relationTarget(part, attribute(each, 'Target') ?? ''), type: attribute(each, 'Type') ?? '' },
      ]),
    );
  }

  #presentation(of: Of<'presentation'>['of']): Seen {
    const slides = this.#slides.map((part) => this.#part(part));
    const size = child(this.#part('ppt/presentation.xml'), 'sldSz');
    switch (of) {
      case 'slides':
        return value(slides.length);
      case 'titles':
        return list(slides.map((slide) => titleOf(slide)));
      case 'texts':
        return list(
          slides.map((slide) =>
            shapesOf(slide)
              .map(textOf)
              .filter((text) => text !== '')
              .join('\n'),
          ),
        );
      case 'shapes':
        return list(slides.flatMap((slide, index) => shapesOf(slide).map((shape) => shapeText(shape, index + 1))));
      default:
        return value(points(numeric(size, of === 'width' ? 'cx' : 'cy')));
    }
  }

  #slide(part: string, slide: Element, of: Of<'slide'>['of']): Seen {
    switch (of) {
      case 'text':
        return value(
          shapesOf(slide)
            .map(textOf)
            .filter((text) => text !== '')
            .join('\n'),
        );
      case 'title':
        return value(titleOf(slide));
      case 'shapes':
        return list(shapesOf(slide).map(nameOf));
      case 'notes': {
        const notes = [...this.#relations(part).values()].find(({ type }) => type.endsWith('/notesSlide'));
        const body = shapesOf(notes === undefined ? undefined : this.#part(notes.part)).find(
          (each) => attribute(descendants(each, 'ph')[0], 'type') === 'body',
        );
        const text = body === undefined ? '' : textOf(body);
        return value(text === '' ? null : text);
      }
      case 'background':
        return value(fillOf(child(slide, 'cSld', 'bg', 'bgPr')));
      case 'transition': {
        const transition = descendants(slide, 'transition')[0];
        return value(transition === undefined ? null : (children(transition)[0]?.localName ?? 'none'));
      }
    }
  }
}

const shapesOf = (slide: Element | undefined): Element[] =>
  children(child(slide, 'cSld', 'spTree')).filter(({ localName }) => shapeNames.has(localName ?? ''));

const nameOf = (shape: Element): string => attribute(descendants(shape, 'cNvPr')[0], 'name') ?? '';

function titleOf(slide: Element | undefined): Scalar {
  const title = shapesOf(slide).find((each) =>
    ['title', 'ctrTitle'].includes(attribute(descendants(each, 'ph')[0], 'type') ?? ''),
  );
  const text = title === undefined ? '' : textOf(title);
  return text === '' ? null : text;
}

function shapeText(shape: Element, slide: number): string {
  const of = (aspect: Of<'shape'>['of']) => shapeAspect(shape, aspect);
  const at = (['x', 'y', 'width', 'height'] as const).map((one) => Math.round(Number(of(one) ?? 0)));
  return `${slide} | ${shape.localName} | ${at.join(' ')} | ${of('text') ?? ''}`;
}

function shapeAspect(shape: Element, of: Of<'shape'>['of']): Scalar {
  const transform = child(shape, 'spPr', 'xfrm') ?? child(shape, 'xfrm') ?? child(shape, 'grpSpPr', 'xfrm');
  const runs = descendants(shape, 'r').filter((run) => (child(run, 't')?.textContent ?? '').trim() !== '');
  const ofRuns = (read: (properties: Element | undefined) => Scalar) =>
    common(runs.map((run) => read(child(run, 'rPr'))));
  switch (of) {
    case 'text':
      return textOf(shape);
    case 'name':
      return nameOf(shape);
    case 'x':
    case 'y':
      return points(numeric(child(transform, 'off'), of));
    case 'width':
    case 'height':
      return points(numeric(child(transform, 'ext'), of === 'width' ? 'cx' : 'cy'));
    case 'fill':
      return fillOf(child(shape, 'spPr'));
    case 'bold':
    case 'italic':
      return ofRuns((properties) => ['1', 'true'].includes(attribute(properties, of === 'bold' ? 'b' : 'i') ?? ''));
    case 'underline':
      return ofRuns((properties) => !['none', undefined].includes(attribute(properties, 'u')));
    case 'strike':
      return ofRuns((properties) => !['noStrike', undefined].includes(attribute(properties, 'strike')));
    case 'size':
      return ofRuns((properties) => {
        const size = numeric(properties, 'sz');
        return size === undefined ? null : size / 100;
      });
    case 'color':
      return ofRuns(fillOf);
    case 'font':
      return ofRuns((properties) => attribute(child(properties, 'latin'), 'typeface') ?? null);
    case 'align': {
      const names: Record<string, string> = { l: 'left', ctr: 'center', r: 'right', just: 'justify' };
      return common(
        descendants(shape, 'p')
          .filter((paragraph) => paragraphText(paragraph).trim() !== '')
          .map((paragraph) => names[attribute(child(paragraph, 'pPr'), 'algn') ?? ''] ?? null),
      );
    }
  }
}
