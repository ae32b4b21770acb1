import type { Scalar } from './seen.ts';
import { attribute, child, children, type Element, flag, numeric } from './xml.ts';

/** How a piece of text looks, with what its styles say where it says nothing itself. */
export interface RunLook {
  bold: boolean;
  italic: boolean;
  underline: boolean;
  strike: boolean;
  size: Scalar;
  color: Scalar;
  font: Scalar;
  highlight: Scalar;
}

const MOST_ANCESTORS = 20;

/** Styles and lists of a text document. */
export class DocumentStyles {
  readonly #styles = new Map<string, Element>();
  readonly #defaults: Element | undefined;
  readonly #defaultStyle: string | undefined;

  constructor(
    styles: Element | undefined,
    private readonly numbering: Element | undefined,
  ) {
    this.#defaults = child(styles, 'docDefaults');
    for (const style of children(styles, 'style')) {
      const id = attribute(style, 'styleId');
      if (id === undefined) continue;
      this.#styles.set(id, style);
      if (attribute(style, 'type') === 'paragraph' && ['1', 'true'].includes(attribute(style, 'default') ?? ''))
        this.#defaultStyle = id;
    }
  }

  /** The style's name as people see it; the built-in ones with a capital letter, as applications show them. */
  nameOf(paragraph: Element): string {
    const id = attribute(child(paragraph, 'pPr', 'pStyle'), 'val') ?? this.#defaultStyle;
    const name = attribute(child(this.#styles.get(id ?? ''), 'name'), 'val') ?? id ?? 'Normal';
    return /^(?:heading \d|title|subtitle|normal|caption|quote|header|footer|list .*)$/.test(name)
      ? name.slice(0, 1).toUpperCase() + name.slice(1)
      : name;
  }

  styleElement(id: string | undefined): Element | undefined {
    return id === undefined ? undefined : this.#styles.get(id);
  }

  /** Properties that hold for a paragraph, nearest first: its own, then those of its style and that style's ancestors. */
  #chain(id: string | undefined, properties: 'pPr' | 'rPr'): Element[] {
    const found: Element[] = [];
    for (let at = id, depth = 0; at !== undefined && depth < MOST_ANCESTORS; depth += 1) {
      const style = this.#styles.get(at);
      const own = child(style, properties);
      if (own !== undefined) found.push(own);
      at = attribute(child(style, 'basedOn'), 'val');
    }
    return found;
  }

  #styleOf(paragraph: Element): string | undefined {
    return attribute(child(paragraph, 'pPr', 'pStyle'), 'val') ?? this.#defaultStyle;
  }

  /** The nearest paragraph property of that name, or the nearest that has an attribute. */
  paragraphElement(paragraph: Element, name: string, having?: string): Element | undefined {
    const own = child(paragraph, 'pPr');
    const defaults = child(this.#defaults, 'pPrDefault', 'pPr');
    const chain = [own, ...this.#chain(this.#styleOf(paragraph), 'pPr'), defaults];
    return chain
      .map((each) => child(each, name))
      .find((each) => each !== undefined && (having === undefined || attribute(each, having) !== undefined));
  }

  listOf(paragraph: Element): Scalar {
    const properties = this.paragraphElement(paragraph, 'numPr');
    const id = attribute(child(properties, 'numId'), 'val');
    if (id === undefined || id === '0') return null;
    const level = numeric(child(properties, 'ilvl'), 'val') ?? 0;
    const abstractId = attribute(
      child(
        children(this.numbering, 'num').find((each) => attribute(each, 'numId') === id),
        'abstractNumId',
      ),
      'val',
    );
    const abstract = children(this.numbering, 'abstractNum').find(
      (each) => attribute(each, 'abstractNumId') === abstractId,
    );
    const own = children(abstract, 'lvl').find((each) => numeric(each, 'ilvl') === level);
    const format = attribute(child(own, 'numFmt'), 'val');
    if (format === undefined || format === 'none') return null;
    return format === 'bullet' ? 'bullet' : 'number';
  }

  runLook(run: Element, paragraph: Element): RunLook {
    const own = child(run, 'rPr');
    const chain = [
      own,
      ...this.#chain(attribute(child(own, 'rStyle'), 'val'), 'rPr'),
      ...this.#chain(this.#styleOf(paragraph), 'rPr'),
      child(this.#defaults, 'rPrDefault', 'rPr'),
    ];
    const nearest = (name: string) => chain.map((each) => child(each, name)).find((each) => each !== undefined);
    const size = numeric(nearest('sz'), 'val');
    const color = attribute(nearest('color'), 'val');
    return {
      bold: flag(nearest('b')) ?? false,
      italic: flag(nearest('i')) ?? false,
      underline: flag(nearest('u')) ?? false,
      strike: flag(nearest('strike')) ?? false,
      size: size === undefined ? null : size / 2,
      color: color === undefined || color === 'auto' ? '000000' : color.toUpperCase(),
      font: attribute(nearest('rFonts'), 'ascii') ?? attribute(nearest('rFonts'), 'hAnsi') ?? null,
      highlight: attribute(nearest('highlight'), 'val') ?? null,
    };
  }
}
