import type { Block, Paragraph, Run, TextDocument, TextTable } from '@cua-forge/spec/text-document';

/** What a person is told: nothing but the public outcome. */
export interface Wanted {
  requirements: { id: string; text: string }[];
}

const textOf = (block: Paragraph) => block.runs.map((run) => run.text).join('');
const cm = (value: number) => Math.round(value * (72 / 2.54) * 20) / 20;

/** Changes a paragraph's text and leaves its looks: what is cut or put in belongs to the run where it starts. */
function edit(block: Paragraph, pattern: RegExp, write: (found: RegExpMatchArray) => string): Paragraph {
  const runs: Run[] = block.runs.map((run) => ({ ...run }));
  const matches = [
    ...textOf(block).matchAll(new RegExp(pattern.source, `${pattern.flags.replace('g', '')}g`)),
  ].reverse();
  for (const found of matches) {
    const whole = found[0];
    let start = 0;
    let left = whole.length;
    let put = write(found);
    for (const run of runs) {
      const end = start + run.text.length;
      const from = Math.max(found.index, start);
      const length = run.text.length;
      if (left > 0 && from < end) {
        const cut = Math.min(left, end - from);
        run.text = run.text.slice(0, from - start) + put + run.text.slice(from - start + cut);
        put = '';
        left -= cut;
      }
      start += length;
    }
  }
  return { ...block, runs };
}

const monthNames = 'January February March April May June July August September October November December'.split(' ');

/** Which figure of the table a sentence is about. */
const subjects: Record<string, RegExp> = {
  'Time to answer a request': /(?<=Requests are answered within )(.+?)(?=\.)/,
  'Storage of records': /(?<=Records are kept for )(.+?)(?=\.)/,
  'Spending without approval': /(?<=Spending of up to )(\S+)(?= needs)/,
  'Share that is paid back': /(?<=Of the cost, )(\S+)(?= is paid back)/,
  'Notice of changes': /(?<=Changes are announced )(.+?)(?= ahead)/,
  'Length of a check-in': /(?<=Each check-in takes )(.+?)(?=\.)/,
  'People who have to sign': /(?<=Each exception carries )(.+?)(?=\.)/,
  'Limit of a single claim': /(?<=A single claim goes up to )(\S+?)(?=\.)/,
};

type Step = (document: TextDocument, text: string, headings: ReadonlySet<string>) => TextDocument;

const onParagraphs = (
  document: TextDocument,
  change: (block: Paragraph, index: number) => Paragraph,
): TextDocument => ({
  ...document,
  blocks: document.blocks.map((block, index) => (block.type === 'paragraph' ? change(block, index) : block)),
});
const nameOf = (heading: string) => heading.replace(/^(?:\d+\. |Section \d+: |§ \d+ )/, '').trim();
const numberIn = (heading: string) => Number(/^(?:Section |§ )?(\d+)/.exec(heading)?.[1]);

/** Running text: below the first heading, and neither heading nor list nor an introduction or a point of one. */
function isRunning(document: TextDocument, headings: ReadonlySet<string>): (index: number) => boolean {
  const first = document.blocks.findIndex((block) => block.type === 'paragraph' && headings.has(nameOf(textOf(block))));
  return (index) => {
    const block = document.blocks[index];
    if (block?.type !== 'paragraph' || index < first || block.list !== undefined) return false;
    const text = textOf(block);
    if (text.trim() === '' || headings.has(nameOf(text)) || text.includes('\t')) return false;
    return !/:$/.test(text.trim()) && !/^(?:[-*–] |\(?[a-h\d]\)? ?[.)] |\(\d\) |[a-h]\) |\d[.)] )/.test(text);
  };
}

const alignIn = (text: string): Paragraph['align'] =>
  text.includes('on the right') ? 'right' : text.includes('in the middle') ? 'center' : 'left';

const steps: Record<string, Step> = {
  spaces(document, text) {
    return onParagraphs(document, (block) => {
      const single = edit(block, / {2,}/, () => ' ');
      return text.includes('before a comma') ? edit(single, / (?=[,.])/, () => '') : single;
    });
  },
  term(document, text) {
    const [, others = '', term = ''] = /says (.+?), it says “(.+?)” instead/.exec(text) ?? [];
    const words = [...others.matchAll(/“(.+?)”/g)].map((found) => found[1]);
    return onParagraphs(document, (block) =>
      edit(block, new RegExp(`\\b(?:${words.join('|')})\\b`, 'i'), ([found = '']) => {
        if (found === found.toUpperCase()) return term.toUpperCase();
        return found.charAt(0) === found.charAt(0).toUpperCase() ? term.charAt(0).toUpperCase() + term.slice(1) : term;
      }),
    );
  },
  dates(document, text) {
    const form = /form of “(.+?)”/.exec(text)?.[1] ?? '';
    const names = monthNames.join('|');
    const pattern = new RegExp(
      `\\b(?:(\\d{1,2}) (${names}) (\\d{4})|(${names}) (\\d{1,2}), (\\d{4})|(\\d{4})-(\\d\\d)-(\\d\\d))\\b`,
      'i',
    );
    return onParagraphs(document, (block) =>
      edit(block, pattern, (found) => {
        const named = found[2] ?? found[4];
        const month =
          named === undefined
            ? Number(found[8])
            : monthNames.findIndex((one) => one.toLowerCase() === named.toLowerCase()) + 1;
        const day = Number(found[1] ?? found[5] ?? found[9]);
        const year = found[3] ?? found[6] ?? found[7] ?? '';
        if (/^\d{4}-/.test(form)) return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
        const name = monthNames[month - 1] ?? '';
        return /^\d/.test(form) ? `${day} ${name} ${year}` : `${name} ${day}, ${year}`;
      }),
    );
  },
  figures(document) {
    const table = document.blocks.find(
      (block): block is TextTable =>
        block.type === 'table' && block.rows[0]?.[0]?.runs[0]?.text === 'Subject' && block.rows[0].length === 2,
    );
    const values = new Map(
      (table?.rows ?? [])
        .map((row) => row.map((cell) => cell.runs.map((run) => run.text).join('')))
        .map(([subject = '', value = '']) => [subject, value]),
    );
    return onParagraphs(document, (block) =>
      Object.entries(subjects).reduce(
        (changed, [subject, pattern]) => edit(changed, pattern, ([found = '']) => values.get(subject) ?? found),
        block,
      ),
    );
  },
  references(document, _text, headings) {
    const numbers = new Map<string, number>();
    for (const block of document.blocks) {
      if (block.type === 'paragraph' && headings.has(nameOf(textOf(block))))
        numbers.set(nameOf(textOf(block)), numberIn(textOf(block)));
    }
    const names = [...numbers.keys()]
      .sort((a, b) => b.length - a.length)
      .map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return onParagraphs(document, (block) =>
      edit(block, new RegExp(`(?<=[Ss]ection )(\\d+)(?=, (${names.join('|')})[, .])`), (found) =>
        String(numbers.get(found[2] ?? '') ?? found[0]),
      ),
    );
  },
  'heading-numbers'(document, text, headings) {
    const form = /as in “(.+?)7(.*?)Name”|as in “7(.*?)Name”/.exec(text);
    let number = 0;
    return onParagraphs(document, (block) => {
      const name = nameOf(textOf(block));
      if (!headings.has(name)) return block;
      number += 1;
      const typed = form?.[1] === undefined ? `${number}${form?.[3] ?? ''}` : `${form[1]}${number}${form[2] ?? ''}`;
      const [first, ...others] = block.runs;
      return {
        ...block,
        runs:
          first === undefined
            ? []
            : [{ ...first, text: `${typed}${name}` }, ...others.map((run) => ({ ...run, text: '' }))],
      };
    });
  },
  'heading-styles'(document, text, headings) {
    const style = /style (Heading \d)/.exec(text)?.[1] ?? '';
    return onParagraphs(document, (block) =>
      headings.has(nameOf(textOf(block))) ? { ...block, style, runs: [{ text: textOf(block) }] } : block,
    );
  },
  'title-style': (document) =>
    onParagraphs(document, (block, index) =>
      index === 0 ? { ...block, style: 'Title', runs: [{ text: textOf(block) }] } : block,
    ),
  'body-font'(document, _text, headings) {
    const running = isRunning(document, headings);
    return onParagraphs(document, (block, index) =>
      running(index) ? { ...block, runs: block.runs.map(({ font: _, size: __, ...run }) => run) } : block,
    );
  },
  alignment(document, text, headings) {
    const running = isRunning(document, headings);
    const align = text.includes('justified') ? 'justify' : 'left';
    return onParagraphs(document, (block, index) => (running(index) ? { ...block, align } : block));
  },
  'line-spacing'(document, text, headings) {
    const running = isRunning(document, headings);
    const lines = Number(/spacing of ([\d.]+)$/.exec(text)?.[1]);
    return onParagraphs(document, (block, index) => (running(index) ? { ...block, lines } : block));
  },
  'space-below'(document, text, headings) {
    const running = isRunning(document, headings);
    const after = Number(/has (\d+) pt/.exec(text)?.[1]);
    return onParagraphs(document, (block, index) => (running(index) ? { ...block, after } : block));
  },
  'stray-marks'(document, text, headings) {
    const running = isRunning(document, headings);
    return onParagraphs(document, (block, index) => {
      if (!running(index)) return block;
      const runs = block.runs.map((run): Run => {
        const { color, underline, bold, italic, ...rest } = run;
        return {
          ...rest,
          ...(color === undefined || text.includes('coloured') ? {} : { color }),
          ...(underline === undefined || text.includes('underlined') ? {} : { underline }),
          ...(bold === undefined || text.includes('bold') ? {} : { bold }),
          ...(italic === undefined || text.includes('italic') ? {} : { italic }),
        };
      });
      return { ...block, runs };
    });
  },
  blanks: (document) => ({
    ...document,
    blocks: document.blocks.filter((block) => block.type !== 'paragraph' || textOf(block).trim() !== ''),
  }),
  repeated(document) {
    const seen = new Set<string>();
    const blocks = document.blocks.filter((block) => {
      if (block.type !== 'paragraph' || textOf(block) === '') return true;
      const isNew = !seen.has(textOf(block));
      seen.add(textOf(block));
      return isNew;
    });
    return { ...document, blocks };
  },
  'section-order'(document, _text, headings) {
    const sections: { number: number; blocks: Block[] }[] = [{ number: 0, blocks: [] }];
    for (const block of document.blocks) {
      if (block.type === 'paragraph' && headings.has(nameOf(textOf(block))))
        sections.push({ number: numberIn(textOf(block)), blocks: [] });
      sections.at(-1)?.blocks.push(block);
    }
    return { ...document, blocks: sections.sort((a, b) => a.number - b.number).flatMap((section) => section.blocks) };
  },
  list(document, text, headings) {
    const intro = /below “(.+?)” form/.exec(text)?.[1] ?? '';
    const kind = text.includes('numbered') ? 'number' : 'bullet';
    const mark = /^(?:[-*–] |\(\d\) |[a-h]\) |\d[.)] )/;
    let inside = false;
    return onParagraphs(document, (block) => {
      const line = textOf(block);
      if (line === intro) {
        inside = true;
        return block;
      }
      inside = inside && mark.test(line) && !headings.has(nameOf(line));
      return inside ? { ...edit(block, mark, () => ''), list: { kind, id: 'made', level: 0 } } : block;
    });
  },
  table(document, text) {
    const lines = /^The lines below “(.+?)”/.exec(text)?.[1];
    if (lines !== undefined) return linesToTable(document, lines);
    const name = /with the heading “(.+?)”/.exec(text)?.[1] ?? /table of (.+?)s is bold/.exec(text)?.[1] ?? '';
    return {
      ...document,
      blocks: document.blocks.map((block) => {
        const head = block.type === 'table' ? block.rows[0] : undefined;
        if (block.type !== 'table' || head?.[0]?.runs[0]?.text.toLowerCase() !== name.toLowerCase() || head.length < 3)
          return block;
        return tableChanged(block, text);
      }),
    };
  },
  margins(document, text) {
    const [, side, edge] = /are ([\d.]+) cm on the left and right and ([\d.]+) cm/.exec(text) ?? [];
    const [across, up] = [cm(Number(side)), cm(Number(edge))];
    return { ...document, page: { ...document.page, left: across, right: across, top: up, bottom: up } };
  },
  paper(document, text) {
    const size = text.includes('A4') ? { width: 595.3, height: 841.9 } : { width: 612, height: 792 };
    return { ...document, page: { ...document.page, ...size } };
  },
  orientation(document) {
    const { width, height } = document.page;
    return { ...document, page: { ...document.page, width: Math.min(width, height), height: Math.max(width, height) } };
  },
  header(document, text) {
    const wanted = /reads “(.+)”, /.exec(text)?.[1] ?? '';
    const line: Paragraph = { type: 'paragraph', style: 'Normal', align: alignIn(text), runs: [{ text: wanted }] };
    return { ...document, header: [line] };
  },
  'page-numbers'(document, text) {
    const total: Run[] = text.includes('all pages') ? [{ text: ' of ' }, { text: '', field: 'pages' }] : [];
    const runs: Run[] = [{ text: 'Page ' }, { text: '', field: 'page' }, ...total];
    return { ...document, footer: [{ type: 'paragraph', style: 'Normal', align: alignIn(text), runs }] };
  },
  'figures-table': (document) => document,
};

const bold = (row: TextTable['rows'][number]) =>
  row.map((cell) => ({ ...cell, runs: cell.runs.map((run) => ({ ...run, bold: true })) }));

function linesToTable(document: TextDocument, intro: string): TextDocument {
  const at = document.blocks.findIndex((block) => block.type === 'paragraph' && textOf(block) === intro);
  let end = at + 1;
  const rows: TextTable['rows'] = [];
  for (; end < document.blocks.length; end += 1) {
    const block = document.blocks[end];
    if (block?.type !== 'paragraph' || !textOf(block).includes('\t')) break;
    const cells = textOf(block)
      .split('\t')
      .map((text) => ({ runs: [{ text }] }));
    rows.push(rows.length === 0 ? bold(cells) : cells);
  }
  const table: TextTable = { type: 'table', headerRow: true, borders: true, rows };
  return { ...document, blocks: [...document.blocks.slice(0, at + 1), table, ...document.blocks.slice(end)] };
}

function tableChanged(table: TextTable, text: string): TextTable {
  const [head = [], ...rows] = table.rows;
  if (text.startsWith('The first row')) return { ...table, headerRow: true, rows: [bold(head), ...rows] };
  const word = (row: typeof head) => row[0]?.runs[0]?.text ?? '';
  if (text.includes('sorted'))
    return { ...table, rows: [head, ...rows.sort((a, b) => word(a).localeCompare(word(b), 'en'))] };
  const columns = [...text.slice(text.indexOf('all cells')).matchAll(/“(.+?)”/g)].map((found) => found[1]);
  const isIn = head.map((cell) => columns.includes(cell.runs[0]?.text));
  return {
    ...table,
    rows: table.rows.map((row) =>
      row.map((cell, across) => (isIn[across] === true ? { ...cell, align: 'right' } : cell)),
    ),
  };
}

/** Spaces first, since other faults hide behind them; what moves or goes comes last. */
const order = ['spaces', 'blanks', 'term', 'dates', 'figures', 'references', 'repeated', 'section-order'];

/**
 * Solves the task from the public outcome and the prepared document alone, in another way than the product does. `headings` are the names
 * of the sections, which a reader of the document sees.
 */
export function solve(wanted: Wanted, document: TextDocument, headings: ReadonlySet<string>): TextDocument {
  const rank = (id: string) => (order.includes(id) ? order.indexOf(id) : order.length);
  return [...wanted.requirements]
    .sort((a, b) => rank(a.id) - rank(b.id))
    .reduce((result, { id, text }) => {
      const step = steps[id];
      if (step === undefined) throw new Error(`no second solution for ${id}`);
      return step(result, text, headings);
    }, document);
}
