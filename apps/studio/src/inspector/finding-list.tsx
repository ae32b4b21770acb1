import { type Finding, MAIN_GRAPH } from '@cua-forge/spec/document';
import { CircleAlert, TriangleAlert } from 'lucide-react';
import { useView } from '../canvas/view-store.ts';
import { useProblems } from '../document/problems-store.ts';

export function FindingList({ findings }: { findings: readonly Finding[] }) {
  return findings.map((finding) => {
    const bad = finding.severity === 'error';
    const Icon = bad ? CircleAlert : TriangleAlert;
    return (
      <div key={`${finding.code}${finding.message}`} className={bad ? 'notice bad small' : 'notice warn small'}>
        <Icon size={15} aria-label={finding.severity} />
        <div>
          <strong>{finding.message}</strong>
          <div>{finding.fix}</div>
        </div>
      </div>
    );
  });
}

/** Every finding of the document; choosing one leads to its node. */
export function ProblemList({ onClose }: { onClose(): void }) {
  const findings = useProblems((state) => state.findings);
  return (
    <section className="problems" aria-label="Problems">
      <div className="row problems-head">
        <h3 className="grow">Problems</h3>
        <button type="button" className="button quiet compact" onClick={onClose}>
          Close
        </button>
      </div>
      {findings.length === 0 && <p className="hint pad">Nothing is wrong with this workflow.</p>}
      <ul>
        {findings.map((finding) => (
          <li key={`${finding.graph}${finding.node}${finding.port}${finding.param}${finding.code}${finding.message}`}>
            <button
              type="button"
              disabled={finding.node === undefined}
              onClick={() =>
                finding.node !== undefined && useView.getState().show(finding.graph ?? MAIN_GRAPH, finding.node)
              }
            >
              {finding.severity === 'error' ? (
                <CircleAlert size={14} className="bad" aria-label="Error" />
              ) : (
                <TriangleAlert size={14} className="warn" aria-label="Warning" />
              )}
              <span className="grow">
                {finding.message} <span className="muted">{finding.fix}</span>
              </span>
              <code className="muted">{finding.code}</code>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
