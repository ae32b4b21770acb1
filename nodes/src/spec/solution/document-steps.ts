import type { Block, PageSetup, Paragraph, TextDocument } from '@cua-forge/spec/text-document';

/** What is done to a text document. `blocks` are all blocks in their new order: kept ones by their old place, from 0. */
export type DocumentStep =
  | { do: 'page'; page: PageSetup }
  | { do: 'header' | 'footer'; blocks: Paragraph[] }
  | { do: 'blocks'; blocks: (Block | { keep: number })[] };

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** What turns one document into the other. Blocks that are the same before and after are kept, wherever they stand then. */
export function documentSteps(before: TextDocument, after: TextDocument): DocumentStep[] {
  const left = new Map(before.blocks.map((block, index) => [index, JSON.stringify(block)]));
  const blocks = after.blocks.map((block): Block | { keep: number } => {
    const text = JSON.stringify(block);
    const found = [...left].find(([, other]) => other === text);
    if (found === undefined) return block;
    left.delete(found[0]);
    return { keep: found[0] };
  });
  return [
    ...(same(before.page, after.page) ? [] : [{ do: 'page' as const, page: after.page }]),
    ...(['header', 'footer'] as const).flatMap((edge): DocumentStep[] =>
      same(before[edge], after[edge]) ? [] : [{ do: edge, blocks: after[edge] }],
    ),
    ...(same(before.blocks, after.blocks) ? [] : [{ do: 'blocks' as const, blocks }]),
  ];
}
