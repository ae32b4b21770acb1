import '../styles/boards.css';
import type { PackageView } from '@cua-forge/spec/api/packages';
import { useState } from 'react';
import type { z } from 'zod';
import { packagesApi } from '../api/packages-api.ts';
import { useLoad } from '../api/use-load.ts';
import { Lineage } from '../package/lineage.tsx';
import { PackagePart, type PackageTab, PackageTabs } from '../package/package-tabs.tsx';
import { Instruction } from '../package/sections.tsx';
import { Link } from '../ui/link.tsx';
import { LoadFailed, Loading } from '../ui/states.tsx';

type View = z.infer<typeof PackageView>;

/** Two task packages side by side, part by part, with the traits in which they differ. */
export function ComparePage({ left, right }: { left: string; right: string }) {
  const [load, again] = useLoad(
    () => Promise.all([packagesApi.package(left), packagesApi.package(right)]),
    [left, right],
  );
  const [tab, setTab] = useState<PackageTab>('files');
  if (load.status === 'loading') return <Loading what="the packages" />;
  if (load.status === 'failed') return <LoadFailed error={load.error} onRetry={again} />;
  const sides = load.value;
  return (
    <div className="page compare stack">
      <h1>Two packages</h1>
      <div className="compare-sides">
        {sides.map(({ record, package: content }) => (
          <div key={record.id} className="stack">
            <div>
              <Link to={{ page: 'package', id: record.id }} className="list-main package-title">
                {content.manifest.outcome.summary}
              </Link>
              <Lineage record={record} manifest={content.manifest} />
            </div>
            <Instruction record={record} content={content} />
          </div>
        ))}
      </div>
      <Differences sides={sides} />
      <div className="panel tabbed">
        <PackageTabs tab={tab} onTab={setTab} />
        <div className="tab-body compare-sides">
          {sides.map(({ record, package: content }) => (
            <section key={record.id} className="stack" aria-label={record.title}>
              <PackagePart tab={tab} record={record} content={content} />
            </section>
          ))}
        </div>
      </div>
    </div>
  );
}

const text = (value: unknown): string =>
  value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value);

function Differences({ sides: [left, right] }: { sides: [View, View] }) {
  const [a, b] = [left.package.manifest.traits, right.package.manifest.traits];
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  const differing = names.filter((name) => text(a[name]) !== text(b[name]));
  return (
    <section className="panel" aria-label="Traits that differ">
      <h2>
        {differing.length === 0
          ? `All ${names.length} traits are alike`
          : `${differing.length} of ${names.length} traits differ`}
      </h2>
      {differing.length > 0 && (
        <table className="grid paper-table">
          <tbody>
            {differing.map((name) => (
              <tr key={name}>
                <th>{name}</th>
                <td>{text(a[name])}</td>
                <td>{text(b[name])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
