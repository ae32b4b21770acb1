import '../styles/boards.css';
import '../styles/review.css';
import type { PackageRecord } from '@cua-forge/spec/store-port';
import { Download, Monitor } from 'lucide-react';
import { useState } from 'react';
import { archiveUrl, packagesApi } from '../api/packages-api.ts';
import { useLoad } from '../api/use-load.ts';
import { StartDesktopDialog } from '../desktops/start-desktop-dialog.tsx';
import { Lineage } from '../package/lineage.tsx';
import { Origins } from '../package/origins.tsx';
import { PackagePart, type PackageTab, PackageTabs } from '../package/package-tabs.tsx';
import { ReviewBar } from '../package/review-bar.tsx';
import { Instruction, Proofs, Traits } from '../package/sections.tsx';
import { navigate } from '../route.ts';
import { May } from '../ui/may.tsx';
import { LoadFailed, Loading } from '../ui/states.tsx';

/** Packages that are offered to compare with. */
const OFFERED = 200;

/** One task package: what is asked, with what, how it is judged, and what was proven about it. */
export function PackagePage({ id }: { id: string }) {
  const [load, again] = useLoad(() => packagesApi.package(id), [id]);
  const [tab, setTab] = useState<PackageTab>('files');
  const [opening, setOpening] = useState(false);
  if (load.status === 'loading') return <Loading what="the package" />;
  if (load.status === 'failed') return <LoadFailed error={load.error} onRetry={again} />;
  const { record, package: content } = load.value;
  const { manifest } = content;
  return (
    <div className="page wide">
      <div className="page-head">
        <div className="grow">
          <h1 className="package-title">{manifest.outcome.summary}</h1>
          <Lineage record={record} manifest={manifest} />
        </div>
        <May needs="operator">
          <button type="button" className="button" onClick={() => setOpening(true)}>
            <Monitor size={14} aria-hidden /> Open on a desktop
          </button>
        </May>
        <CompareWith record={record} />
        <a className="button" href={archiveUrl(record.id)} download={`${record.id}.tar`}>
          <Download size={14} aria-hidden /> Download .tar
        </a>
      </div>
      <ReviewBar id={record.id} reviews={load.value.reviews} tab={tab} onTab={setTab} />
      <div className="package">
        <div className="stack">
          <Instruction record={record} content={content} />
          <div className="panel tabbed">
            <PackageTabs tab={tab} onTab={setTab} />
            <div className="tab-body">
              <PackagePart tab={tab} record={record} content={content} />
            </div>
          </div>
        </div>
        <div className="stack">
          <Proofs manifest={manifest} />
          <Origins record={record} />
          <Traits manifest={manifest} />
        </div>
      </div>
      {opening && (
        <StartDesktopDialog
          packageId={record.id}
          onStarted={(desktop) => navigate({ page: 'desktop', id: desktop.id })}
          onClose={() => setOpening(false)}
        />
      )}
    </div>
  );
}

function CompareWith({ record }: { record: PackageRecord }) {
  const [load] = useLoad(() => packagesApi.packages({ skill: record.skill, limit: OFFERED }), [record.skill]);
  const others = load.status === 'loaded' ? load.value.packages.filter(({ id }) => id !== record.id) : [];
  if (others.length === 0) return null;
  return (
    <select
      className="select compare-with"
      aria-label="Compare with"
      value=""
      onChange={({ target }) => target.value !== '' && navigate({ page: 'compare', id: record.id, with: target.value })}
    >
      <option value="">Compare with…</option>
      {others.map((other) => (
        <option key={other.id} value={other.id}>
          seed {other.seed} · {other.title}
        </option>
      ))}
    </select>
  );
}
