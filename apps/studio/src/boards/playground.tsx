import type { GraphDocument } from '@cua-forge/spec/document';
import { type ForgeError, toForgeError } from '@cua-forge/spec/errors';
import { Json } from '@cua-forge/spec/json';
import type { PlayResult, ProviderView } from '@cua-forge/spec/models-view';
import { FlaskConical } from 'lucide-react';
import { useId, useState } from 'react';
import { z } from 'zod';
import { allDocuments, documentsApi } from '../api/documents-api.ts';
import { modelsApi } from '../api/models-api.ts';
import { runsApi } from '../api/runs-api.ts';
import { useServer } from '../api/server-store.ts';
import { useLoad } from '../api/use-load.ts';
import { FailureNotice } from '../ui/states.tsx';
import { PlayedCards } from './played-cards.tsx';

const Inputs = z.record(z.string(), z.array(Json));
const MOST = 8;

/** One node of a workflow with several models side by side. Nothing of it becomes part of a run. */
export function Playground({ providers }: { providers: readonly ProviderView[] }) {
  const [documents] = useLoad(() => allDocuments(), []);
  const [documentId, setDocumentId] = useState('');
  const [node, setNode] = useState('');
  const [run, setRun] = useState('');
  const [models, setModels] = useState(() => firstModels(providers));
  const [inputs, setInputs] = useState('');
  const [prompt, setPrompt] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<PlayResult | null>(null);
  const [error, setError] = useState<ForgeError | null>(null);
  const kinds = useServer((state) => state.kinds);
  const id = useId();
  const [source] = useLoad(async () => {
    if (documentId === '') return null;
    const [{ document }, { runs }] = await Promise.all([
      documentsApi.document(documentId),
      runsApi.runs({ documentId, state: 'succeeded', limit: 20 }),
    ]);
    return { document, runs };
  }, [documentId]);
  const document = source.status === 'loaded' ? (source.value?.document ?? null) : null;
  const runs = source.status === 'loaded' ? (source.value?.runs ?? []) : [];
  const asking = askingNodes(document, new Set(kinds.filter((kind) => kind.policy.callsModel).map((kind) => kind.id)));
  const params = asking.find((each) => each.id === node)?.params ?? {};
  const written = typeof params.prompt === 'string' ? params.prompt : null;
  const wanted = models.split(/[\s,]+/).filter((name) => name !== '');
  const given = readInputs(inputs);
  const ready = node !== '' && wanted.length > 0 && wanted.length <= MOST && given !== null;

  const play = async () => {
    if (!ready || busy) return;
    setBusy(true);
    setError(null);
    try {
      setResult(
        await modelsApi.playNode({
          documentId,
          node,
          models: wanted,
          inputs: given,
          ...(run === '' ? {} : { run }),
          ...(prompt === null || prompt === written ? {} : { params: { ...params, prompt } }),
        }),
      );
    } catch (thrown) {
      setError(toForgeError(thrown));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="panel" aria-labelledby={`${id}-title`}>
      <div>
        <h2 id={`${id}-title`}>Playground</h2>
        <p className="hint">One node with several models side by side. Nothing of it becomes part of a run.</p>
      </div>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void play();
        }}
      >
        <div className="trio-fields">
          <div className="field">
            <label className="label" htmlFor={`${id}-document`}>
              Workflow
            </label>
            <select
              id={`${id}-document`}
              className="select"
              value={documentId}
              onChange={(event) => {
                setDocumentId(event.target.value);
                setNode('');
                setRun('');
                setPrompt(null);
              }}
            >
              <option value="">choose one…</option>
              {documents.status === 'loaded' &&
                documents.value.map((each) => (
                  <option key={each.id} value={each.id}>
                    {each.title}
                  </option>
                ))}
            </select>
            {documents.status === 'failed' && <span className="problem">{documents.error.message}</span>}
          </div>
          <div className="field">
            <label className="label" htmlFor={`${id}-node`}>
              Node that asks a model
            </label>
            <select
              id={`${id}-node`}
              className="select"
              value={node}
              disabled={asking.length === 0}
              onChange={(event) => {
                setNode(event.target.value);
                setPrompt(null);
              }}
            >
              <option value="">
                {documentId !== '' && document !== null && asking.length === 0 ? 'none asks one' : 'choose one…'}
              </option>
              {asking.map((each) => (
                <option key={each.id} value={each.id}>
                  {each.title}
                </option>
              ))}
            </select>
          </div>
          <div className="field">
            <label className="label" htmlFor={`${id}-run`}>
              Inputs and params from
            </label>
            <select
              id={`${id}-run`}
              className="select"
              value={run}
              disabled={documentId === ''}
              onChange={(event) => setRun(event.target.value)}
            >
              <option value="">the workflow, with the inputs below</option>
              {runs.map((each) => (
                <option key={each.id} value={each.id}>
                  {each.title} · seed {each.seed}
                </option>
              ))}
            </select>
          </div>
        </div>
        {written !== null && (
          <div className="field">
            <label className="label" htmlFor={`${id}-prompt`}>
              Prompt
            </label>
            <textarea
              id={`${id}-prompt`}
              className="textarea code"
              value={prompt ?? written}
              onChange={(event) => setPrompt(event.target.value)}
            />
          </div>
        )}
        <div className="pair-fields">
          <div className="field">
            <label className="label" htmlFor={`${id}-models`}>
              Models
            </label>
            <textarea
              id={`${id}-models`}
              className="textarea code"
              value={models}
              aria-invalid={wanted.length === 0 || wanted.length > MOST}
              onChange={(event) => setModels(event.target.value)}
            />
            <span className="hint">
              One a line, as nodes name them: <code>provider:model</code>. {MOST} at most.
            </span>
          </div>
          <div className="field">
            <label className="label" htmlFor={`${id}-inputs`}>
              Inputs
            </label>
            <textarea
              id={`${id}-inputs`}
              className="textarea code"
              placeholder='{"topic": ["rivers"]}'
              value={inputs}
              aria-invalid={given === null}
              onChange={(event) => setInputs(event.target.value)}
            />
            <span className="hint">Values by port, one for each edge, over those of the run.</span>
          </div>
        </div>
        <div className="row">
          <button type="submit" className="button primary" disabled={!ready || busy}>
            <FlaskConical size={14} aria-hidden /> {busy ? 'Asking…' : 'Compare'}
          </button>
          {busy && (
            <span className="muted small" role="status">
              {wanted.length} models are asked.
            </span>
          )}
        </div>
      </form>
      {error !== null && <FailureNotice failure={error} />}
      {result !== null && <PlayedCards result={result} />}
    </section>
  );
}

/** The default and what else is ready, as nodes name models. */
function firstModels(providers: readonly ProviderView[]): string {
  const ready = providers.filter((provider) => provider.ready || provider.isDefault);
  return ready
    .slice(0, 3)
    .map(({ name, model, models }) => `${name}:${model ?? models[0]?.name ?? ''}`)
    .join('\n');
}

function askingNodes(document: GraphDocument | null, kinds: ReadonlySet<string>) {
  return (document?.nodes ?? [])
    .filter((node) => kinds.has(node.kind))
    .map(({ id, title, params }) => ({ id, title: title ?? id, params }));
}

function readInputs(text: string): z.infer<typeof Inputs> | null {
  if (text.trim() === '') return {};
  try {
    return Inputs.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
