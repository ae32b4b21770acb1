import type { EvaluationView } from '@cua-forge/spec/evaluation-view';
import type { Fate } from '@cua-forge/spec/run-fate';
import { useState } from 'react';
import { Link } from '../ui/link.tsx';
import { variantText } from './variant-text.ts';

const tones: Record<Fate, string> = {
  accepted: 'ok',
  rejected: 'warn',
  failed: 'bad',
  cancelled: '',
  running: 'run',
  waiting: '',
};

type Seed = EvaluationView['seeds'][number];
const differs = ({ runs }: Seed): boolean => new Set(runs.map(({ fate }) => fate)).size > 1;

/** What each variant made of each seed, with the ways to the runs and to a comparison of two. */
export function SeedTable({ view: { variants, seeds } }: { view: EvaluationView }) {
  const [all, setAll] = useState(false);
  const unlike = seeds.filter(differs);
  const shown = all ? seeds : unlike;
  return (
    <section className="panel stack" aria-labelledby="by-seed">
      <div className="row">
        <h2 id="by-seed" className="grow">
          Seed by seed
        </h2>
        <label className="row small">
          <input type="checkbox" checked={all} onChange={(event) => setAll(event.target.checked)} />
          also those that came out alike
        </label>
      </div>
      <p className="hint" role="status">
        {unlike.length} of {seeds.length} seeds came out differently.
      </p>
      {shown.length > 0 && (
        <table className="list" aria-label="Seeds">
          <thead>
            <tr>
              <th className="number">Seed</th>
              {variants.map((variant) => (
                <th key={variant.batchId}>{variantText(variant)}</th>
              ))}
              <th>
                <span className="visually-hidden">Compare</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((seed) => (
              <SeedRow key={seed.seed} seed={seed} variants={variants} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function SeedRow({ seed: { seed, runs }, variants }: { seed: Seed; variants: EvaluationView['variants'] }) {
  const [first, second] = runs;
  return (
    <tr>
      <td className="number">{seed}</td>
      {runs.map(({ id, fate, failureCode }, index) => (
        <td key={variants[index]?.batchId ?? index}>
          <div className="row">
            <span className={`badge ${tones[fate]}`}>{fate}</span>
            {id !== null && <Link to={{ page: 'run', id }}>{failureCode ?? 'run'}</Link>}
          </div>
        </td>
      ))}
      <td>
        {runs.length === 2 && first?.id != null && second?.id != null && (
          <Link to={{ page: 'compare-runs', id: first.id, with: second.id }}>Compare</Link>
        )}
      </td>
    </tr>
  );
}
