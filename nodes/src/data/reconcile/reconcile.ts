import { ForgeError } from '@cua-forge/spec/errors';
import { baseName } from '@cua-forge/spec/required-file';
import type { HiddenAnswers, RequiredFile, TaskSpecification, Workbook } from '@cua-forge/spec/task';
import { type Random, randomFrom } from '../random.ts';
import { type Bills, billsOf, cents, type Invoice, type Line } from './bills.ts';
import { invoicePages } from './invoice-pages.ts';
import { layoutOf, workbookOf } from './ledger.ts';
import { reconciliations } from './outcomes.ts';
import { reconcileChecks } from './reconcile-checks.ts';

export interface ReconcileTask {
  outcome: TaskSpecification['outcome'];
  files: RequiredFile[];
  hidden: HiddenAnswers;
  traits: Record<string, string>;
}

/** An amount that somebody may have booked instead of the total. */
function misbooked(invoice: Invoice, random: Random): { amount: number; how: string } {
  const [whole = '', part = ''] = invoice.total.toFixed(2).split('.');
  const swapped = Number(`${whole.slice(0, -2)}${whole.slice(-1)}${whole.slice(-2, -1)}.${part}`);
  const ways: [string, number][] = [
    ['net instead of total', invoice.net],
    ['digits swapped', swapped],
    ['a round sum off', cents(invoice.total + random.pick([-10, 10, 100, 9]))],
    ['cents cut', Math.floor(invoice.total)],
  ];
  const [how, amount] = random.shuffle(ways).find(([, value]) => value > 0 && value !== invoice.total) ?? [
    'one more',
    invoice.total + 1,
  ];
  return { amount: cents(amount), how };
}

const lineOf = (invoice: Invoice, other: Line['other'], amount: number | null): Line => ({
  number: invoice.number,
  supplier: invoice.supplier,
  date: invoice.date,
  currency: invoice.currency,
  amount,
  other,
});

/** The ledger with its faults, and the invoices that are in the PDFs. */
function faulty(bills: Bills, wish: { duplicates?: true; empty?: true }, random: Random) {
  const all = random.shuffle(bills.invoices);
  const others = bills.others.length > 0 ? bills.others : [null];
  const unbooked = all.slice(0, random.integer(1, 2));
  const rest = all.slice(unbooked.length);
  const paperless = rest.slice(0, random.integer(1, 3));
  const both = rest.slice(paperless.length);
  const wrong = new Set(random.subset(both, random.integer(2, Math.max(2, Math.floor(both.length / 2)))));
  const empty = new Set(
    wish.empty === true ? random.subset(both, random.integer(3, Math.max(3, both.length - 3))) : [],
  );
  const hows = new Set<string>();
  const lines = rest.map((invoice, index): Line => {
    const other = others[index % others.length] ?? null;
    if (empty.has(invoice)) return lineOf(invoice, other, null);
    if (!wrong.has(invoice)) return lineOf(invoice, other, invoice.total);
    const { amount, how } = misbooked(invoice, random);
    hows.add(how);
    return lineOf(invoice, other, amount);
  });
  const sorted = random.pick(['by number', 'by date', 'as they came']);
  const key = (line: Line) => (sorted === 'by number' ? line.number : line.date);
  const ordered =
    sorted === 'as they came' ? random.shuffle(lines) : [...lines].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  if (wish.duplicates === true) {
    for (const line of random.subset(ordered, random.integer(1, 3))) {
      const after = random.integer(ordered.indexOf(line) + 1, ordered.length);
      ordered.splice(after, 0, { ...line });
    }
  }
  return {
    lines: ordered,
    invoices: [...unbooked, ...both],
    traits: {
      faults: [...hows].sort().join(', ') || 'none',
      order: sorted,
      sizes: `${unbooked.length} not booked, ${paperless.length} without invoice`,
    },
  };
}

const stems: [[string, string, string], ...[string, string, string][]] = [
  ['invoices-1', 'invoices-2', 'invoices-3'],
  ['bills_a', 'bills_b', 'bills_c'],
  ['scan-first', 'scan-second', 'scan-third'],
  ['inbox_north', 'inbox_south', 'inbox_post'],
];

/** Invoices over the three PDFs: by sender, or as they came in. */
function bundles(invoices: readonly Invoice[], random: Random): { groups: Invoice[][]; label: string } {
  const label = random.pick(['by sender', 'as they came', 'by date']);
  const order =
    label === 'by sender'
      ? [...invoices].sort((a, b) => (a.supplier < b.supplier ? -1 : a.supplier > b.supplier ? 1 : 0))
      : label === 'by date'
        ? [...invoices].sort((a, b) => (a.date < b.date ? -1 : 1))
        : random.shuffle(invoices);
  const cut = [Math.max(1, Math.round(order.length * 0.3)), Math.max(2, Math.round(order.length * 0.65))] as const;
  return { groups: [order.slice(0, cut[0]), order.slice(cut[0], cut[1]), order.slice(cut[1])], label };
}

/**
 * Makes a ledger from a workbook's data, three PDFs with the invoices that belong to it, and the reconciliation that is asked for.
 * @throws ForgeError `input.invalid` for a reconciliation that does not exist
 */
export function reconcileTask(
  workbook: Workbook,
  wish: string,
  path: string,
  company: string,
  seed: number,
): ReconcileTask {
  const kind = Object.hasOwn(reconciliations, wish) ? reconciliations[wish] : undefined;
  if (kind === undefined) {
    throw new ForgeError('input.invalid', `There is no reconciliation called "${wish}".`, {
      fix: `Use one of: ${Object.keys(reconciliations).join(', ')}.`,
      place: { port: 'reconciliation' },
    });
  }
  const random = randomFrom(seed, 'reconcile');
  const bills = billsOf(workbook, random.integer(10, 15), randomFrom(seed, 'bills'));
  const { lines, invoices, traits } = faulty(bills, kind, randomFrom(seed, 'faults'));
  const { layout, traits: layoutTraits } = layoutOf(bills, lines, company, randomFrom(seed, 'ledger'));
  const result = kind.solve({ lines, invoices, layout }, randomFrom(seed, wish));
  const { groups, label } = bundles(invoices, random);
  const names = random.pick(stems);
  const folder = path.slice(0, path.lastIndexOf('/'));
  const pdfs = groups.map((group, index) => {
    const stem = names[index] ?? `invoices-${index + 1}`;
    const { document, look } = invoicePages(
      `Invoices, part ${index + 1}`,
      group,
      company,
      randomFrom(seed, `pdf ${index}`),
    );
    const file: RequiredFile = {
      id: `invoices-${index + 1}`,
      path: `${folder}/${stem}.pdf`,
      type: 'pdf',
      content: document,
    };
    return { file, look };
  });
  const book = (content: Workbook): RequiredFile => ({ id: 'workbook', path, type: 'xlsx', content });
  const before = workbookOf(layout, lines, undefined, undefined);
  const after = workbookOf(layout, result.lines, result.added, result.extra);
  const pdfNames = pdfs.map(({ file }) => baseName(file.path));
  const name = baseName(path);
  return {
    outcome: {
      kind: wish,
      summary: `${name} has ${result.aim}, by the invoices in ${pdfNames[0]}, ${pdfNames[1]} and ${pdfNames[2]}`,
      requirements: result.requirements,
      mentions: [...new Set([name, ...pdfNames, ...result.mentions])],
    },
    files: [book(before), ...pdfs.map(({ file }) => file)],
    hidden: {
      answers: result.answers.slice(0, 40),
      expected: [book(after)],
      ...reconcileChecks({ path, before, after, layout, lines, invoices, result }),
      derivation: `${invoices.length} invoices compared with ${lines.length} lines of the sheet ${layout.sheet}.`,
    },
    traits: {
      ...traits,
      ...layoutTraits,
      form: result.label,
      bundles: label,
      pages: pdfs.map(({ look }) => `${look.layout}/${look.money}/${look.dates}`).join(', '),
      currencies: String(new Set(invoices.map((invoice) => invoice.currency)).size),
    },
  };
}
