import type { MetaStore, NodeView } from '@cua-forge/spec/store-port';

const pageSize = 500;
/** Sorts after every character that a node path has. */
const highest = '\u{10FFFF}';

/** States of a run's nodes without those inside map items, which it leaps over: a map may have thousands. */
export async function topLevelViews(meta: Pick<MetaStore, 'listNodeViews'>, runId: string): Promise<NodeView[]> {
  const views: NodeView[] = [];
  let after: string | undefined;
  for (;;) {
    const page = await meta.listNodeViews(runId, { limit: pageSize, ...(after === undefined ? {} : { after }) });
    let leap: string | undefined;
    for (const view of page) {
      const bracket = view.key.indexOf('[');
      if (bracket >= 0) {
        leap = view.key.slice(0, bracket + 1) + highest;
        break;
      }
      views.push(view);
    }
    if (leap === undefined && page.length < pageSize) return views;
    after = leap ?? page.at(-1)?.key;
  }
}
