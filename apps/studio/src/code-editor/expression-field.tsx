import type { GraphNode } from '@cua-forge/spec/document';
import type { Json } from '@cua-forge/spec/json';
import { lazy, Suspense, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { TreeValue } from '../values/json-tree.tsx';
import type { CodeLanguage } from './languages.ts';
import { type Preview, preview } from './preview-client.ts';
import { inputOf, useScope } from './use-scope.ts';

const CodeMirror = lazy(() => import('./code-mirror.tsx'));

interface ExpressionFieldProps {
  id: string;
  label: string;
  language: CodeLanguage;
  node: GraphNode;
  value: string;
  readOnly: boolean;
  invalid: boolean;
  hint: string;
  onChange(value: string): void;
  onBlur(): void;
}

/** A prompt or an expression with completions, and what it comes to with the values of the run at hand. */
export function ExpressionField({ node, ...field }: ExpressionFieldProps) {
  const scope = useScope(node);
  const input = useMemo(() => inputOf(scope), [scope]);
  return (
    <div className="stack tight">
      <Suspense fallback={<p className="hint">Loading the editor…</p>}>
        <CodeMirror {...field} scope={scope} autoFocus={false} />
      </Suspense>
      {input !== null && <Result language={field.language} source={field.value} input={input} />}
    </div>
  );
}

const PAUSE_MS = 200;

/** Computed in a worker once typing rests. */
function Result({ language, source, input }: { language: CodeLanguage; source: string; input: Json }) {
  const asked = useDeferredValue(source);
  const [shown, setShown] = useState<Preview | null>(null);
  useEffect(() => {
    let gone = false;
    const timer = setTimeout(() => {
      if (asked.trim() === '') setShown(null);
      else
        void preview(language, asked, input).then((answer) => {
          if (!gone) setShown(answer);
        });
    }, PAUSE_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [language, asked, input]);
  if (shown === null) return null;
  return (
    <section className="expression-result" aria-label="Preview" aria-live="polite">
      <span className="muted small">With the values of the run shown</span>
      {'error' in shown ? (
        <span className="problem">{shown.error}</span>
      ) : typeof shown.value === 'string' ? (
        <pre className="text-value">{shown.value}</pre>
      ) : (
        <TreeValue value={shown.value} />
      )}
    </section>
  );
}
