import { GraphDocument } from '@cua-forge/spec/document';
import { openStore } from '@cua-forge/store/open-store';
import { largeDocument } from '../../bench/studio/large-document.ts';
import { writeLargeRun } from '../../tests/support/large-run.ts';
import { eventually, type RunningServices } from '../../tests/support/services.ts';
import type { Subjects } from './screens.ts';

const SKILL = 'calc-monthly-summary';
const PATIENCE_MS = 600_000;

const transform = (id: string, title: string, expression: string, inputs: Record<string, 'json'> = {}) => ({
  id,
  kind: 'data.transform',
  version: 1,
  title,
  params: { inputs, expression },
});

const orders = GraphDocument.parse({
  forge: 1,
  id: 'orders',
  title: 'Orders',
  nodes: [
    transform('orders', 'Orders', '[1..24].{"amount": $ = 7 or $ = 19 ? -$ : $ * 3}'),
    { id: 'each', kind: 'flow.map', version: 1, title: 'Each order', params: { graph: 'one-order' } },
    transform('total', 'Total', '$sum(values.amount)', { values: 'json' }),
  ],
  edges: [
    { from: 'orders.value', to: 'each.items' },
    { from: 'each.results', to: 'total.values' },
  ],
  outputs: { total: 'total.value' },
  graphs: {
    'one-order': {
      inputs: { item: { type: 'json' } },
      nodes: [
        transform('check', 'Check', 'item.amount < 0 ? $error("The amount is below zero.") : item.amount', {
          item: 'json',
        }),
      ],
      edges: [{ from: '$inputs.item', to: 'check.item' }],
      outputs: { amount: 'check.value' },
    },
  },
});

const approval = GraphDocument.parse({
  forge: 1,
  id: 'approval',
  title: 'Approval',
  nodes: [
    transform('draft', 'Draft', '{"subject": "Quarterly figures", "words": 120}'),
    {
      id: 'ask',
      kind: 'flow.approval',
      version: 1,
      title: 'Approval',
      params: { message: 'Does this letter go out?' },
    },
  ],
  edges: [{ from: 'draft.value', to: 'ask.value' }],
  outputs: { letter: 'ask.approved' },
});

const letter = GraphDocument.parse({
  forge: 1,
  id: 'letter',
  title: 'Letter',
  nodes: [
    transform('draft', 'Draft', '{"words": 5}'),
    {
      id: 'long',
      kind: 'gate.schema',
      version: 1,
      title: 'Long enough',
      params: { schema: { type: 'object', properties: { words: { minimum: 10 } } } },
      repair: { target: 'draft', rounds: 1 },
    },
  ],
  edges: [{ from: 'draft.value', to: 'long.value' }],
  outputs: { letter: 'draft.value' },
});

/** Makes everything that the pictures show, with the product itself; `count` packages, two at least. */
export async function makeSubjects(
  { api, store: folder }: RunningServices,
  count: number,
  report: (line: string) => void,
): Promise<Subjects> {
  const untidy = { ...largeDocument('untidy', 6), title: 'Untidy' };
  for (const document of [orders, approval, letter, untidy, largeDocument('large', 2_000)])
    await api.saveDocument(document.id, { document, expectedRevision: null });
  await api.saveDocument('orders', {
    document: { ...orders, description: 'Sums what is right.' },
    expectedRevision: 1,
  });
  const failed = await api.startRun({ documentId: 'orders' });
  const waiting = await api.startRun({ documentId: 'approval' });
  const repaired = await api.startRun({ documentId: 'letter' });
  report(`Running a batch of ${count}`);
  const batch = await api.startBatch({ documentId: SKILL, count, seed: 1, window: 2 });
  let told = -1;
  const packages = await eventually(
    'the packages',
    async () => {
      const found = (await api.packages({ skill: SKILL })).packages;
      if (found.length !== told) report(`${found.length} of ${count} packages`);
      told = found.length;
      return found.length >= count ? found : null;
    },
    PATIENCE_MS,
  );
  for (const { id } of [failed, repaired])
    await eventually(
      'a run that asks for attention',
      async () => (await api.run(id)).run.state === 'needs-attention',
      PATIENCE_MS,
    );
  const store = await openStore({ folder });
  const large = await writeLargeRun(store, (await api.run(failed.id)).run, {
    items: 10_000,
    map: 'each',
    node: 'check',
  });
  await store.meta.close();
  const [first, second] = packages;
  if (!first?.runId || !second?.runId) throw new Error('There are no packages.');
  return {
    skill: SKILL,
    run: first.runId,
    otherRun: second.runId,
    packages: [first.id, second.id],
    batch: batch.id,
    failedRun: failed.id,
    waitingRun: waiting.id,
    largeRun: large.id,
    repairedRun: repaired.id,
  };
}
