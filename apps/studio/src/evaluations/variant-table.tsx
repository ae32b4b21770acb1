import type { EvaluationView } from '@cua-forge/spec/evaluation-view';
import { BatchBadge, BatchBar, percent, timeLeft } from '../boards/batch-parts.tsx';
import { count, money } from '../ui/format.ts';
import { Link } from '../ui/link.tsx';
import { variantText } from './variant-text.ts';

type Variant = EvaluationView['variants'][number];

/** Variants below each other: acceptance with its bounds, tokens and money of an accepted run, failures by kind. */
export function VariantTable({ variants }: { variants: readonly Variant[] }) {
  return (
    <table className="list board-list" aria-label="Variants">
      <thead>
        <tr>
          <th>Variant</th>
          <th className="wide-cell">Runs</th>
          <th className="number">Acceptance</th>
          <th className="number">Tokens each</th>
          <th className="number">Money each</th>
          <th>Failures by kind</th>
        </tr>
      </thead>
      <tbody>
        {variants.map((variant) => (
          <VariantRow key={variant.batchId} variant={variant} />
        ))}
      </tbody>
    </table>
  );
}

function VariantRow({ variant }: { variant: Variant }) {
  const { batch, counts, acceptance, perAccepted, rehearsed, failures, progress } = variant.batch;
  const { between } = variant;
  const kinds = Object.entries(failures).sort(([, a], [, b]) => b - a);
  return (
    <tr>
      <td>
        <Link to={{ page: 'batch', id: batch.id }} className="list-main">
          {variantText(variant)}
        </Link>
        <div className="row">
          <BatchBadge state={batch.state} />
          {rehearsed && <span className="badge warn">rehearsal</span>}
        </div>
      </td>
      <td>
        <BatchBar counts={counts} total={batch.count} />
        <div className="row wrap small muted tally">
          <span>
            {counts.done} of {batch.count}
          </span>
          <span>{counts.accepted} accepted</span>
          {counts.rejected > 0 && <span className="warn-text">{counts.rejected} rejected</span>}
          {counts.failed > 0 && <span className="bad-text">{counts.failed} failed</span>}
          <span>{timeLeft(progress)}</span>
        </div>
      </td>
      <td className="number">
        {acceptance === null ? '–' : <strong>{percent(acceptance)}</strong>}
        {between !== null && (
          <div className="small muted nowrap" title="Bounds that hold with 95 %">
            {percent(between[0])} to {percent(between[1])}
          </div>
        )}
      </td>
      <td className="number">{perAccepted === null ? '–' : count(Math.round(perAccepted.tokens))}</td>
      <td className="number">{perAccepted === null ? '–' : money(perAccepted.usd)}</td>
      <td>
        {kinds.length === 0 && <span className="muted">none</span>}
        {kinds.map(([code, times]) => (
          <div key={code} className="small nowrap">
            {times} × <code>{code}</code>
          </div>
        ))}
      </td>
    </tr>
  );
}
