import { restChecks } from '@cua-forge/checks/derive/workbook-checks';
import { otherValue, withCell } from '@cua-forge/checks/derive/workbook-variants';
import { ruleText } from '@cua-forge/checks/reading/workbook';
import { cellAddress, columnLetters, parseAddress } from '@cua-forge/spec/cell-address';
import type { Check } from '@cua-forge/spec/check';
import type { AnswerVariant, HiddenAnswers, Sheet, Workbook } from '@cua-forge/spec/task';
import type { ConditionalFormat, ConditionalRule, HighlightFormat } from '@cua-forge/spec/workbook-features';

/** A rule as it is in the end, or was at the start. */
export interface PlacedRule {
  format: ConditionalFormat;
  covers: { from: number; to: number };
  /** Rows of the table that it highlights; null for bars, scales and icons. */
  rows: boolean[] | null;
}

export interface HighlightProof {
  path: string;
  before: Workbook;
  after: Workbook;
  sheet: Sheet;
  rules: readonly PlacedRule[];
  /** A rule of the start that differs from the new ones, and what becomes of it. */
  old: { rule: PlacedRule; kept: boolean } | undefined;
  /** The rules of the start cover so many rows only. */
  short: number | undefined;
  /** Which requirements there are besides those of the single rules. */
  requirements: readonly string[];
}

const looks = { fill: 'shown-fill', color: 'shown-color' } as const;
const rgb = (argb: string) => argb.slice(-6);
const formatOf = (rule: ConditionalRule): HighlightFormat | undefined => ('format' in rule ? rule.format : undefined);
const only = ({ format }: PlacedRule): ConditionalRule | undefined => format.rules[0];

/** Colours that tell a rule by: of its fill, else of its text; of bars and scales those that are not white. */
function colorsOf(rule: ConditionalRule | undefined): string[] {
  if (rule === undefined) return [];
  if (rule.type === 'data-bar') return [rgb(rule.color)];
  if (rule.type === 'color-scale') return rule.points.map(({ color }) => rgb(color)).filter((one) => one !== 'FFFFFF');
  const format = formatOf(rule);
  return [format?.fill, format?.color].flatMap((one) => (one === undefined ? [] : [rgb(one)]));
}

/** What a gradual rule reads like to a check, whoever wrote the file. */
function gradualText({ format }: PlacedRule): string {
  const [rule] = format.rules;
  switch (rule?.type) {
    case 'data-bar':
      return ruleText(format.range, { type: 'dataBar', color: { argb: rule.color } });
    case 'color-scale':
      return ruleText(format.range, { type: 'colorScale', color: rule.points.map(({ color }) => ({ argb: color })) });
    case 'icons':
      return ruleText(format.range, { type: 'iconSet', iconSet: rule.set });
    default:
      return format.range;
  }
}

const unasked: HighlightFormat = { fill: 'FFB7DEE8', color: 'FF0F243E' };

/** The same rule with a look that nobody has asked for. */
function disguised(rule: ConditionalRule): ConditionalRule {
  if (rule.type === 'data-bar') return { ...rule, color: 'FF808080' };
  if (rule.type === 'color-scale')
    return { ...rule, points: rule.points.map((point) => ({ ...point, color: 'FF808080' })) };
  if (rule.type === 'icons') return { ...rule, set: rule.set === '5Rating' ? '4Arrows' : '5Rating' };
  return { ...rule, format: unasked };
}

class Highlights {
  readonly first: number;
  readonly last: number;

  constructor(private readonly proof: HighlightProof) {
    this.first = proof.sheet.headerRow + 1;
    this.last = proof.sheet.headerRow + proof.sheet.rows.length;
  }

  #range(row: number, from: number, to: number): string {
    const { firstColumn } = this.proof.sheet;
    return `${cellAddress(this.first + row, firstColumn + from)}:${cellAddress(this.first + row, firstColumn + to)}`;
  }

  #isIn(rule: PlacedRule, row: number, column: number): boolean {
    return rule.rows?.[row] === true && column >= rule.covers.from && column <= rule.covers.to;
  }

  /** Stretches of a rule's columns that satisfy a condition. */
  #stretches(rule: PlacedRule, holds: (column: number) => boolean): [number, number][] {
    const found: [number, number][] = [];
    for (let column = rule.covers.from; column <= rule.covers.to; column += 1) {
      if (!holds(column)) continue;
      const open = found.at(-1);
      if (open !== undefined && open[1] === column - 1) open[1] = column;
      else found.push([column, column]);
    }
    return found;
  }

  #see(
    row: number,
    [from, to]: [number, number],
    of: (typeof looks)[keyof typeof looks] | 'shown-bold' | 'shown-italic' | 'shown-strike',
  ) {
    const { path, sheet } = this.proof;
    return { look: 'range', path, sheet: sheet.name, range: this.#range(row, from, to), of } as const;
  }

  /** The format is to be seen in a stretch. */
  #dressed(row: number, stretch: [number, number], format: HighlightFormat): Check[] {
    const on = (['bold', 'italic', 'strike'] as const).filter((name) => format[name] === true);
    return [
      ...(['fill', 'color'] as const).flatMap((name): Check[] => {
        const wanted = format[name];
        return wanted === undefined
          ? []
          : [{ see: this.#see(row, stretch, looks[name]), expect: { equals: rgb(wanted), text: 'exact' } }];
      }),
      ...on.map(
        (name): Check => ({ see: this.#see(row, stretch, `shown-${name}`), expect: { equals: true, text: 'exact' } }),
      ),
    ];
  }

  /** The colour that tells the format is not to be seen in a stretch. */
  #bare(row: number, stretch: [number, number], format: HighlightFormat): Check[] {
    const name = format.fill === undefined ? 'color' : 'fill';
    const color = format[name];
    return color === undefined
      ? []
      : [{ see: this.#see(row, stretch, looks[name]), expect: { excludes: [rgb(color)], text: 'exact' } }];
  }

  /** Where the rule shows whatever the others look like: where it applies alone, or, when that is nowhere, where it wins. */
  #own(rule: PlacedRule, among: readonly PlacedRule[]): [number, number][][] {
    const above = among.slice(0, among.indexOf(rule));
    const [alone, wins] = [among.filter((other) => other !== rule), above].map((others) =>
      (rule.rows ?? []).map((_, row) =>
        this.#stretches(
          rule,
          (column) => this.#isIn(rule, row, column) && !others.some((other) => this.#isIn(other, row, column)),
        ),
      ),
    );
    return (alone?.some((stretches) => stretches.length > 0) ? alone : wins) ?? [];
  }

  /** Whether there is any place where the rule shows. */
  isVisible(rule: PlacedRule, among: readonly PlacedRule[]): boolean {
    return rule.rows === null || this.#own(rule, among).some((stretches) => stretches.length > 0);
  }

  /** The rule shows on its rows, as far as no other one lies over it, and on no others. */
  rule(rule: PlacedRule, among: readonly PlacedRule[], rows: (row: number) => boolean = () => true): Check[] {
    const bare = only(rule);
    const format = bare === undefined ? undefined : formatOf(bare);
    const { path, sheet } = this.proof;
    if (rule.rows === null || format === undefined)
      return [
        {
          see: { look: 'sheet', path, sheet: sheet.name, of: 'conditional-formats' },
          expect: { includes: [gradualText(rule)], text: 'spaces' },
        },
      ];
    const own = this.#own(rule, among);
    return rule.rows.flatMap((holds, row) => {
      if (!rows(row)) return [];
      if (!holds) return this.#bare(row, [rule.covers.from, rule.covers.to], format);
      return (own[row] ?? []).flatMap((stretch) => this.#dressed(row, stretch, format));
    });
  }

  /** One row on which the rule shows alone. */
  sign(rule: PlacedRule, among: readonly PlacedRule[], rows: (row: number) => boolean): Check[] {
    const own = this.#own(rule, among);
    const row = rule.rows?.findIndex((holds, at) => holds && rows(at) && (own[at] ?? []).length > 0) ?? -1;
    return row < 0 ? [] : this.rule(rule, among, (at) => at === row);
  }

  /** Where a rule would show that must not: on the rows it highlights. */
  gone(rule: PlacedRule): Check[] {
    const bare = only(rule);
    const format = bare === undefined ? undefined : formatOf(bare);
    if (format === undefined) return [];
    return (rule.rows ?? []).flatMap((holds, row) =>
      holds ? this.#bare(row, [rule.covers.from, rule.covers.to], format) : [],
    );
  }

  /** Where several rules hold, none shows but the first. */
  priority(rules: readonly PlacedRule[]): Check[] {
    return rules.flatMap((rule, index) => {
      const bare = only(rule);
      const format = bare === undefined ? undefined : formatOf(bare);
      if (format === undefined) return [];
      return (rule.rows ?? []).flatMap((_, row) =>
        this.#stretches(
          rule,
          (column) =>
            this.#isIn(rule, row, column) && rules.slice(0, index).some((above) => this.#isIn(above, row, column)),
        ).flatMap((stretch) => this.#bare(row, stretch, format)),
      );
    });
  }

  count(atLeast: number, atMost: number): Check {
    const { path, sheet } = this.proof;
    return {
      see: { look: 'sheet', path, sheet: sheet.name, of: 'conditional-formats' },
      expect: { count: { atLeast, atMost } },
    };
  }

  /** Every rule begins with the first row of data and ends with the last; with `beyond` it may go further. */
  covered(beyond: boolean): Check {
    const { path, sheet } = this.proof;
    const last = beyond ? `(?:${this.last}|${this.last + 1})` : String(this.last);
    const area = `[A-Z]+${this.first}:[A-Z]+${last}`;
    return {
      see: { look: 'sheet', path, sheet: sheet.name, of: 'conditional-formats' },
      expect: { matches: `^${area}(?: ${area})? \\|`, ignoreCase: false },
    };
  }
}

function begunOf(proof: HighlightProof, seen: Highlights): Check {
  const { rules, old, short } = proof;
  if (old === undefined && short === undefined) return seen.count(1, 100);
  const among = old === undefined ? rules : [...rules, old.rule];
  const signs = rules.flatMap((rule) => {
    const parts = seen.sign(rule, among, (row) => short === undefined || row >= short);
    return parts.length === 0 ? [] : [{ all: parts }];
  });
  const gone = old === undefined || old.kept ? [] : seen.gone(old.rule);
  return {
    any: [
      ...signs,
      ...(old === undefined ? [seen.covered(true)] : [seen.count(2, 100)]),
      ...(gone.length === 0 ? [] : [{ all: [seen.count(1, 100), ...gone] }]),
    ],
  };
}

/** No cell has one of the rules' colours of its own. */
function byRule({ path, sheet, rules }: HighlightProof): Check[] {
  const colors = [...new Set(rules.flatMap((rule) => colorsOf(only(rule))))];
  if (colors.length === 0) return [];
  return [...new Set(rules.map(({ format }) => format.range))].flatMap((range) =>
    (['fill', 'color'] as const).map(
      (of): Check => ({
        see: { look: 'range', path, sheet: sheet.name, range, of },
        expect: { excludes: colors, text: 'exact' },
      }),
    ),
  );
}

/** One more row below those of a range. */
function longer(range: string): string {
  const [from = '', to = ''] = range.split(':');
  const end = parseAddress(to);
  return end === undefined ? range : `${from}:${columnLetters(end.column)}${end.row + 1}`;
}

/**
 * A check for each requirement of a highlighting, and the workbook with that requirement alone missed. Rules are judged by what they show on
 * each row, however they are written; bars, scales and icons by their kind, range and colours.
 */
export function highlightChecks(proof: HighlightProof): Required<Pick<HiddenAnswers, 'checks' | 'variants'>> {
  const { path, before, after, sheet, rules, old, requirements } = proof;
  const seen = new Highlights(proof);
  const begun = begunOf(proof, seen);
  const formats = [...rules.map(({ format }) => format), ...(old?.kept === true ? [old.rule.format] : [])];
  const withFormats = (list: readonly ConditionalFormat[]): Workbook => ({
    ...after,
    sheets: after.sheets.map((each) => (each.name === sheet.name ? { ...each, conditionalFormats: [...list] } : each)),
  });
  const heading = cellAddress(sheet.headerRow, sheet.firstColumn);
  const oldRule = old?.rule;
  const among = oldRule === undefined ? rules : [...rules, oldRule];
  const total = rules.length + (old?.kept === true ? 1 : 0);
  // A cell that the rule colours anyway, so that it looks no different.
  const paintedRow = Math.max(0, rules[0]?.rows?.indexOf(true) ?? 0);
  const painted = cellAddress(seen.first + paintedRow, sheet.firstColumn + (rules[0]?.covers.from ?? 0));
  const paint = colorsOf(rules[0] === undefined ? undefined : only(rules[0]))[0];
  const parts: [string, Check[], string, Workbook][] = [
    ...rules.map((rule, index): [string, Check[], string, Workbook] => {
      const isVisible = seen.isVisible(rule, among);
      return [
        `rule-${index + 1}`,
        // A rule that others hide everywhere is there all the same.
        [...seen.rule(rule, among), ...(isVisible ? [] : [seen.count(total, 100)])],
        isVisible ? 'One rule has another look.' : 'One rule is not there.',
        withFormats(
          formats.flatMap((format, at) => {
            if (at !== index) return [format];
            return isVisible ? [{ ...format, rules: format.rules.map(disguised) }] : [];
          }),
        ),
      ];
    }),
    [
      'all-rows',
      [seen.covered(false)],
      'One rule goes beyond the last row.',
      withFormats(formats.map((format, at) => (at === 0 ? { ...format, range: longer(format.range) } : format))),
    ],
    [
      'by-rule',
      byRule(proof),
      'One cell has a colour of its own.',
      {
        ...after,
        sheets: after.sheets.map((each) =>
          each.name === sheet.name && paint !== undefined
            ? {
                ...each,
                cellStyles: [
                  ...(each.cellStyles ?? []),
                  // Colours of text stay off the fill, and the other way round, as the rule has them.
                  {
                    range: painted,
                    style: isText(rules[0]) ? { font: { color: `FF${paint}` } } : { fill: `FF${paint}` },
                  },
                ],
              }
            : each,
        ),
      },
    ],
    [
      'priority',
      seen.priority(rules),
      'The rules stand in the opposite order.',
      withFormats(reversed(formats, rules.length)),
    ],
    [
      'rules-before',
      oldRule === undefined
        ? [seen.covered(true), seen.count(1, total)]
        : old?.kept === true
          ? seen.rule(oldRule, among)
          : [seen.count(1, total), ...seen.gone(oldRule)],
      oldRule === undefined
        ? 'One rule is there twice.'
        : old?.kept === true
          ? 'The old rule is gone.'
          : 'The old rule is still there.',
      oldRule === undefined
        ? withFormats([...formats, ...formats.slice(-1)])
        : withFormats(old?.kept === true ? formats.slice(0, rules.length) : [...formats, oldRule.format]),
    ],
    [
      'data-unchanged',
      restChecks({ path, prepared: before, expected: after }),
      'A heading is changed.',
      withCell(after, sheet.name, heading, otherValue(sheet.columns[0]?.name ?? '')),
    ],
  ];
  const proven = parts.filter(([id, check]) => requirements.includes(id) && check.length > 0);
  return {
    checks: proven.map(([id, check]) => ({ id, check: { all: [begun, ...check] } })),
    variants: proven.map(
      ([requirement, , doc, content]): AnswerVariant => ({
        requirement,
        doc,
        expected: [{ id: 'workbook', path, type: 'xlsx', content }],
      }),
    ),
  };
}

const isText = (rule: PlacedRule | undefined): boolean => {
  const bare = rule === undefined ? undefined : only(rule);
  const format = bare === undefined ? undefined : formatOf(bare);
  return format !== undefined && format.fill === undefined;
};

/** The new rules in the opposite order, what comes after them in its place. */
const reversed = (formats: readonly ConditionalFormat[], count: number): ConditionalFormat[] => [
  ...formats.slice(0, count).reverse(),
  ...formats.slice(count),
];
