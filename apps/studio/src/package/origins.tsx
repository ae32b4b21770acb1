import type { PackageRecord } from '@cua-forge/spec/store-port';
import { runsApi } from '../api/runs-api.ts';
import { useLoad } from '../api/use-load.ts';
import { KindTile } from '../canvas/family.tsx';
import { parseEnd } from '../document/edge-end.ts';
import { Link } from '../ui/link.tsx';

const ASSEMBLE = 'package.assemble';

interface Origin {
  port: string;
  node: string;
  title: string;
  kind: string;
  output: string;
}

/** Which node of the run gave each part that the package was put together from. */
async function originsOf(record: PackageRecord): Promise<Origin[]> {
  const { document } = await runsApi.run(record.runId);
  const assembling = document.nodes.find(({ kind }) => kind === ASSEMBLE);
  if (assembling === undefined) return [];
  return document.edges.flatMap(({ from, to }) => {
    const [source, target] = [parseEnd(from), parseEnd(to)];
    const node = document.nodes.find(({ id }) => id === source.node);
    if (target.node !== assembling.id || node === undefined) return [];
    return [{ port: target.port, node: node.id, title: node.title ?? node.id, kind: node.kind, output: source.port }];
  });
}

/** The way back from the package to the outputs that it was made of. */
export function Origins({ record }: { record: PackageRecord }) {
  const [load] = useLoad(() => originsOf(record), [record.id]);
  if (load.status === 'loading') return null;
  const origins = load.status === 'loaded' ? load.value : [];
  return (
    <section className="panel" aria-label="Where its parts come from">
      <h2>Where its parts come from</h2>
      {origins.length === 0 && <p className="hint">The run that made it is not here.</p>}
      <ul className="plain-list origins">
        {origins.map(({ port, node, title, kind, output }) => (
          <li key={`${port}/${node}`} className="row">
            <KindTile kind={kind} size={13} />
            <Link to={{ page: 'run', id: record.runId }} hash={node} className="truncate grow">
              {title}
            </Link>
            <code className="muted small truncate" title={`Output ${output} of ${node}, taken as ${port}`}>
              {port}
            </code>
          </li>
        ))}
      </ul>
    </section>
  );
}
