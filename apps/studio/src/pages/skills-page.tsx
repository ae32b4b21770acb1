import '../styles/boards.css';
import { reviewReasons } from '@cua-forge/spec/review';
import type { SkillTally, SkillView } from '@cua-forge/spec/skills-view';
import { GraduationCap } from 'lucide-react';
import { useState } from 'react';
import { costsApi } from '../api/costs-api.ts';
import { useLive } from '../api/use-live.ts';
import { BatchBadge, percent } from '../boards/batch-parts.tsx';
import { SpendingPlot } from '../boards/spending-plot.tsx';
import { StaleNotice } from '../boards/stale-notice.tsx';
import { count, dateTime, money } from '../ui/format.ts';
import { Link } from '../ui/link.tsx';
import { Empty, LoadFailed, Loading } from '../ui/states.tsx';

const MONTH_MS = 30 * 86_400_000;

/** Every skill that ran: what part of its runs was accepted, what an accepted package cost, its versions and newest batches. */
export function SkillsPage() {
  const { load, stale, stream, again } = useLive(() => costsApi.skills(), [], {
    feed: { inside: '' },
    wants: ({ type }) => type === 'run' || type === 'batch' || type === 'package',
    paceMs: 3_000,
  });
  if (load.status === 'loading') return <Loading what="skills" />;
  if (load.status === 'failed') return <LoadFailed error={load.error} onRetry={again} />;
  // Runs that belong to no skill come last.
  const skills = load.value.skills.toSorted((a, b) => Number(a.skill === '') - Number(b.skill === ''));
  return (
    <div className="page wide stack board">
      <div className="page-head">
        <h1>Skills</h1>
      </div>
      <StaleNotice stale={stale} stream={stream} />
      {skills.length === 0 && (
        <Empty icon={<GraduationCap size={28} aria-hidden />} title="No skill has run yet">
          <p>Run one of the shipped workflows, or start a batch.</p>
          <Link to={{ page: 'documents' }} className="button">
            Workflows
          </Link>
        </Empty>
      )}
      {skills.map((view) => (
        <Skill key={view.skill} view={view} />
      ))}
    </div>
  );
}

const acceptanceText = ({ acceptance }: SkillTally): string => (acceptance === null ? '–' : percent(acceptance));

function Skill({ view: { skill, tally, failures, cost, versions, reviews, batches } }: { view: SkillView }) {
  const [from] = useState(() => Date.now() - MONTH_MS);
  const [open, setOpen] = useState(false);
  const worst = Object.entries(failures).sort(([, a], [, b]) => b - a);
  const most = worst[0]?.[1] ?? 1;
  const name = skill === '' ? 'Without a skill' : skill;
  return (
    <section className="panel" aria-label={name}>
      <h2>{name}</h2>
      <dl className="figures">
        <Figure name="Acceptance" value={acceptanceText(tally)} note={`${tally.accepted} accepted`} />
        <Figure name="Rejected" value={tally.rejected} note="by gates" />
        <Figure name="Failed" value={tally.failed} note={`${tally.cancelled} cancelled`} />
        <Figure name="Open" value={tally.open} note={`${tally.rehearsed} rehearsed, not counted`} />
        <Figure
          name="For each accepted"
          value={cost === null || cost.accepted === 0 ? '–' : money(cost.usdPerAccepted)}
          note={cost?.tokensPerAccepted == null ? '' : `${count(Math.round(cost.tokensPerAccepted))} tokens`}
        />
        <Figure
          name="Spent"
          value={cost === null ? '–' : money(cost.usd)}
          note={cost === null ? '' : `${count(cost.usage.input + cost.usage.output)} tokens`}
        />
      </dl>
      <div className="board-split">
        <div className="stack">
          <h3>Versions</h3>
          <table className="list">
            <thead>
              <tr>
                <th>Version</th>
                <th>Saved</th>
                <th className="number">Runs</th>
                <th className="number">Accepted</th>
                <th className="number">Acceptance</th>
              </tr>
            </thead>
            <tbody>
              {versions.map((version) => (
                <tr key={`${version.documentId} ${version.hash}`}>
                  <td>
                    <Link to={{ page: 'document', id: version.documentId }} className="list-main">
                      {version.documentId}
                    </Link>{' '}
                    <span className="muted">
                      {version.revision === null ? 'draft' : `revision ${version.revision}`} ·{' '}
                      {version.hash.slice(0, 8)}
                    </span>
                  </td>
                  <td className="muted nowrap">{version.at === null ? '' : dateTime(version.at)}</td>
                  <td className="number">{runsOf(version.tally)}</td>
                  <td className="number">{version.tally.accepted}</td>
                  <td className="number">{acceptanceText(version.tally)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <div className="stack">
          <h3>Failures by kind</h3>
          {worst.length === 0 && <p className="hint">Nothing has failed.</p>}
          <ul className="plain-list failure-kinds">
            {worst.map(([code, times]) => (
              <li key={code}>
                <div className="row">
                  <code className="grow truncate">{code}</code>
                  <strong>{times}</strong>
                </div>
                <div className="meter bad" aria-hidden>
                  <span style={{ width: `${(times / most) * 100}%` }} />
                </div>
              </li>
            ))}
          </ul>
          <Reviews skill={name} reviews={reviews} />
          <h3>Newest batches</h3>
          {batches.length === 0 && <p className="hint">None yet.</p>}
          <ul className="plain-list">
            {batches.map((batch) => (
              <li key={batch.id} className="row">
                <Link to={{ page: 'batch', id: batch.id }} className="grow truncate">
                  {batch.title}
                </Link>
                <span className="muted small nowrap">{batch.count} runs</span>
                <BatchBadge state={batch.state} />
              </li>
            ))}
          </ul>
        </div>
      </div>
      <details className="details" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Tokens and money of the last 30 days</summary>
        {open && <SpendingPlot of={{ skill }} from={from} change={cost?.calls ?? 0} />}
      </details>
    </section>
  );
}

/** What people think of its packages, and why they rejected some; each reason names the gate that should have found it. */
function Reviews({ skill, reviews }: { skill: string; reviews: SkillView['reviews'] }) {
  const rejected = reviews.rejected.reduce((sum, { count: times }) => sum + times, 0);
  const most = reviews.rejected[0]?.count ?? 1;
  return (
    <>
      <h3>Reviews</h3>
      <p className="small muted">
        {reviews.accepted} accepted by people, {rejected} rejected, {reviews.unreviewed} not looked at
      </p>
      {rejected > 0 && (
        <ul className="plain-list failure-kinds" aria-label={`Why packages of ${skill} were rejected`}>
          {reviews.rejected.map(({ reason, count: times }) => (
            <li key={reason} title={reviewReasons[reason].text}>
              <div className="row">
                <span className="grow truncate">
                  {reason}{' '}
                  {reviewReasons[reason].gate !== null && <code className="muted">{reviewReasons[reason].gate}</code>}
                </span>
                <strong>{times}</strong>
              </div>
              <div className="meter bad" aria-hidden>
                <span style={{ width: `${(times / most) * 100}%` }} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const runsOf = ({ accepted, rejected, failed, open, cancelled, rehearsed }: SkillTally): number =>
  accepted + rejected + failed + open + cancelled + rehearsed;

function Figure({ name, value, note }: { name: string; value: string | number; note: string }) {
  return (
    <div className="figure">
      <dt>{name}</dt>
      <dd>
        <span className="figure-value">{value}</span>
        {note !== '' && <span className="small muted">{note}</span>}
      </dd>
    </div>
  );
}
