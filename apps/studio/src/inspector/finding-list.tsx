import { type Finding, MAIN_GRAPH } from '@cua-forge/spec/document';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { CircleAlert, TriangleAlert } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
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
      {findings.length === 0 ? (
        <p className="hint pad">Nothing is wrong with this workflow.</p>
      ) : (
        <ProblemRows findings={findings} />
      )}
    </section>
  );
}

/** Height of a finding of one line, until it is drawn and measured. */
const ROW = 29;

/** Any number of findings, of which only those in view are drawn; the arrow keys, Home and End go from one to the next. */
function ProblemRows({ findings }: { findings: readonly Finding[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<number | null>(null);
  const virtual = useVirtualizer({
    count: findings.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 8,
    // The one with the focus stays, wherever the list is scrolled.
    rangeExtractor: (range) => {
      const rows = defaultRangeExtractor(range);
      return active === null || active >= findings.length || rows.includes(active)
        ? rows
        : [...rows, active].toSorted((a, b) => a - b);
    },
  });
  const leads = (index: number): boolean => findings[index]?.node !== undefined;
  const go = (index: number) => {
    setActive(index);
    virtual.scrollToIndex(index);
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"] button`)?.focus({ preventScroll: true }),
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const order = findings.map((_, index) => index).filter(leads);
    const at = order.indexOf(active ?? -1);
    const to = { ArrowDown: order[at + 1], ArrowUp: order[at - 1], Home: order[0], End: order.at(-1) }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  };
  return (
    <div ref={scroller} className="problems-scroll">
      <ul style={{ height: virtual.getTotalSize() }} onKeyDown={onKeyDown}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const finding = findings[index];
          if (finding === undefined) return null;
          return (
            <li
              key={index}
              ref={virtual.measureElement}
              data-index={index}
              style={{ transform: `translateY(${start}px)` }}
              aria-setsize={findings.length}
              aria-posinset={index + 1}
            >
              <ProblemRow finding={finding} onFocus={() => setActive(index)} onBlur={() => setActive(null)} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function ProblemRow({ finding, onFocus, onBlur }: { finding: Finding; onFocus(): void; onBlur(): void }) {
  const { node, graph = MAIN_GRAPH } = finding;
  return (
    <button
      type="button"
      disabled={node === undefined}
      onFocus={onFocus}
      onBlur={onBlur}
      onClick={() => node !== undefined && useView.getState().show(graph, node)}
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
  );
}
