import { ProofRecord, type ProofStep, proofClaims } from '@cua-forge/spec/proof';
import type { PackageRecord } from '@cua-forge/spec/store-port';
import type { TaskPackage } from '@cua-forge/spec/task';
import { CircleCheck, CircleDashed, CircleX, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { fileText, fileUrl } from '../api/files-api.ts';
import { packagesApi } from '../api/packages-api.ts';
import { useLoad } from '../api/use-load.ts';
import { navigate } from '../route.ts';
import { FailureNotice } from '../ui/states.tsx';
import { fileAt } from './package-content.ts';

const words: Record<ProofRecord['verdict'], string> = {
  proven: 'Proven in a sandbox',
  failed: 'The proof has failed',
  unproven: 'Not proven',
};

async function readProof(content: TaskPackage): Promise<ProofRecord | null> {
  const file = fileAt(content, 'proof/proof.json');
  return file === null ? null : ProofRecord.parse(JSON.parse(await fileText(file)));
}

/** What sandboxes have shown of a package: the verdict, the steps with their evidence, and the prepared desktop. */
export function ProofSection({ record, content }: { record: PackageRecord; content: TaskPackage }) {
  const [load] = useLoad(() => readProof(content), [record.value.hash]);
  if (load.status === 'loading') return <p className="hint">Loading…</p>;
  if (load.status === 'failed') return <FailureNotice failure={load.error} />;
  const proof = load.value;
  if (proof === null)
    return (
      <div className="stack">
        <p className="hint">No sandbox has run this package.</p>
        <ProveNow id={record.id} says="Prove it" />
      </div>
    );
  const screenshot = proof.screenshot === null ? null : fileAt(content, proof.screenshot);
  return (
    <div className="stack">
      <h3>{words[proof.verdict]}</h3>
      {proof.reason !== null && <p>{proof.reason}</p>}
      <p className="muted small">
        {proof.provider === null ? 'No sandbox was used' : `On ${proof.provider}, ${proof.image}`},{' '}
        {proof.seconds.toFixed(1)} s
      </p>
      <ul className="evidence">
        {proof.steps.map((step) => (
          <Step key={step.step} step={step} />
        ))}
      </ul>
      {screenshot !== null && (
        <figure>
          <img src={fileUrl(screenshot)} alt="The prepared desktop" className="proof-screenshot" width={720} />
          <figcaption className="muted small">The prepared desktop</figcaption>
        </figure>
      )}
      <ProveNow id={record.id} says="Prove again" />
    </div>
  );
}

function Step({ step: { step, result, seconds, evidence } }: { step: ProofStep }) {
  return (
    <li>
      {result === 'held' && <CircleCheck size={15} className="ok-text" aria-label="holds" />}
      {result === 'failed' && <CircleX size={15} className="bad-text" aria-label="does not hold" />}
      {result === 'skipped' && <CircleDashed size={15} className="muted" aria-label="not looked at" />}
      <details open={result === 'failed'}>
        <summary>
          {proofClaims[step]}{' '}
          <span className="muted">{result === 'skipped' ? 'not looked at' : `${seconds.toFixed(1)} s`}</span>
        </summary>
        <ul>
          {evidence.map(({ check, ok, detail }) => (
            <li key={`${check}${detail}`}>
              {check} <span className={ok ? 'muted' : 'bad-text'}>{detail}</span>
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}

/** Starts a proof and shows its run. */
function ProveNow({ id, says }: { id: string; says: string }) {
  const [state, setState] = useState<{ busy: boolean; problem: string | null }>({ busy: false, problem: null });
  const start = async () => {
    setState({ busy: true, problem: null });
    try {
      navigate({ page: 'run', id: (await packagesApi.provePackage(id)).id });
    } catch (thrown) {
      setState({ busy: false, problem: thrown instanceof Error ? thrown.message : String(thrown) });
    }
  };
  return (
    <div>
      <button type="button" className="button" disabled={state.busy} onClick={() => void start()}>
        <ShieldCheck size={14} aria-hidden /> {says}
      </button>
      {state.problem !== null && <p className="bad-text">{state.problem}</p>}
    </div>
  );
}
