import type { GraphNode } from '@cua-forge/spec/document';
import type { Outcome } from '@cua-forge/spec/store-port';
import { CircleCheck, CircleX } from 'lucide-react';
import { Dialog } from '../ui/dialog.tsx';
import { count, duration, money } from '../ui/format.ts';
import { FailureNotice } from '../ui/states.tsx';
import { ValueCard } from '../values/value-view.tsx';
import { checksOf } from './rounds.ts';

interface RoundsDialogProps {
  node: GraphNode;
  /** One execution for each round, first round first. */
  rounds: readonly Outcome[];
  onClose(): void;
}

/** The rounds of a repair side by side: what the gate saw in each, or what the node made of the feedback. */
export function RoundsDialog({ node, rounds, onClose }: RoundsDialogProps) {
  const checks = checksOf(rounds);
  return (
    <Dialog wide title={`Rounds of ${node.title ?? node.id}`} onClose={onClose}>
      <div className="rounds-scroll">
        <table className="rounds-table">
          <thead>
            <tr>
              <th scope="col">Round</th>
              {rounds.map((outcome) => (
                <th key={outcome.round} scope="col">
                  <span className="row wrap">
                    {outcome.round} <Verdict outcome={outcome} />
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {checks.map(({ check, rounds: said }) => (
              <tr key={check}>
                <th scope="row">{check}</th>
                {said.map((each, index) => (
                  <td key={rounds[index]?.round}>
                    {each !== null && (
                      <span className="row evidence-cell">
                        {each.ok ? (
                          <CircleCheck size={14} className="ok-text" aria-label="holds" />
                        ) : (
                          <CircleX size={14} className="bad-text" aria-label="does not hold" />
                        )}
                        <span className="pre-line">{each.detail}</span>
                      </span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
            <Row name="Feedback" rounds={rounds} of={({ verdict }) => verdict?.feedback} />
            <tr>
              <th scope="row">Cost</th>
              {rounds.map(({ round, usage, usd, startedAt, endedAt }) => (
                <td key={round} className="muted">
                  {duration(endedAt - startedAt)}
                  {usage.input + usage.output > 0 && ` · ${count(usage.input + usage.output)} tokens · ${money(usd)}`}
                </td>
              ))}
            </tr>
            <Values name="Inputs" rounds={rounds} of={inputsOf} />
            <Values name="Outputs" rounds={rounds} of={({ outputs }) => Object.entries(outputs)} />
          </tbody>
        </table>
      </div>
      {rounds.map(({ round, failure }) => failure !== null && <FailureNotice key={round} failure={failure} />)}
    </Dialog>
  );
}

function Verdict({ outcome: { verdict, status } }: { outcome: Outcome }) {
  if (verdict === null) return <span className={status === 'failed' ? 'badge bad' : 'badge ok'}>{status}</span>;
  const tone = { pass: 'ok', repair: 'warn', reject: 'bad' }[verdict.verdict];
  return <span className={`badge ${tone}`}>{verdict.verdict}</span>;
}

function Row({
  name,
  rounds,
  of,
}: {
  name: string;
  rounds: readonly Outcome[];
  of(outcome: Outcome): string | undefined;
}) {
  if (rounds.every((outcome) => of(outcome) === undefined)) return null;
  return (
    <tr>
      <th scope="row">{name}</th>
      {rounds.map((outcome) => (
        <td key={outcome.round} className="pre-line">
          {of(outcome)}
        </td>
      ))}
    </tr>
  );
}

type Named = [string, Outcome['outputs'][string]][];
const inputsOf = ({ inputs }: Outcome): Named =>
  Object.entries(inputs).flatMap(([port, refs]) => refs.map((ref): Named[number] => [port, ref]));

function Values({ name, rounds, of }: { name: string; rounds: readonly Outcome[]; of(outcome: Outcome): Named }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {rounds.map((outcome) => (
        <td key={outcome.round}>
          <div className="stack tight">
            {of(outcome).map(([port, ref]) => (
              <ValueCard key={`${port}${ref.hash}${ref.index ?? ''}`} name={port} value={ref} />
            ))}
          </div>
        </td>
      ))}
    </tr>
  );
}
