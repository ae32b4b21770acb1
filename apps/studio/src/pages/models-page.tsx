import '../styles/boards.css';
import type { ModelTest, ProviderView } from '@cua-forge/spec/models-view';
import { CircleCheck, CircleX, Zap } from 'lucide-react';
import { useState } from 'react';
import { modelsApi } from '../api/models-api.ts';
import { useMay } from '../api/session-store.ts';
import { useLoad } from '../api/use-load.ts';
import { Playground } from '../boards/playground.tsx';
import { duration, money } from '../ui/format.ts';
import { May } from '../ui/may.tsx';
import { FailureNotice, LoadFailed, Loading } from '../ui/states.tsx';
import { toastError } from '../ui/toast.tsx';

/** Providers with prices and keys, a test call for each, and one node played with several models. */
export function ModelsPage() {
  const [load, again] = useLoad(() => modelsApi.models(), []);
  return (
    <div className="page wide stack board">
      <div className="page-head">
        <h1 className="grow">Models</h1>
        {load.status === 'loaded' && load.value.cassettes !== null && (
          <span className="badge warn">answers: {load.value.cassettes}</span>
        )}
      </div>
      {load.status === 'loading' && <Loading what="what the worker knows of models" />}
      {load.status === 'failed' && <LoadFailed error={load.error} onRetry={again} />}
      {load.status === 'loaded' && (
        <>
          <div className="providers">
            {load.value.providers.map((provider) => (
              <Provider key={provider.name} provider={provider} />
            ))}
          </div>
          <May needs="author">
            <Playground providers={load.value.providers} />
          </May>
        </>
      )}
    </div>
  );
}

const keyTones = { set: 'ok', missing: 'bad', 'not needed': '' } as const;

function Provider({ provider }: { provider: ProviderView }) {
  const { name, isDefault, model, address, key, ready, detail, models } = provider;
  const mayAsk = useMay('author');
  const [busy, setBusy] = useState(false);
  const [test, setTest] = useState<ModelTest | null>(null);
  const [asked, setAsked] = useState(model ?? '');
  const ask = async () => {
    setBusy(true);
    try {
      setTest(await modelsApi.testModel({ model: asked.trim() === '' ? name : `${name}:${asked.trim()}` }));
    } catch (thrown) {
      toastError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="panel" aria-label={name}>
      <div className="row">
        <h2 className="grow truncate">{name}</h2>
        {isDefault && <span className="badge run">default</span>}
        <span className={`badge ${ready ? 'ok' : 'warn'}`}>{ready ? 'ready' : 'not ready'}</span>
        <span className={`badge ${keyTones[key]}`}>key {key}</span>
      </div>
      <div className="muted small">
        {detail}
        {address !== null && (
          <div>
            <code>{address}</code>
          </div>
        )}
      </div>
      {models.length > 0 && <Prices provider={provider} />}
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault();
          void ask();
        }}
      >
        <input
          className="input"
          aria-label={`Model of ${name} to test`}
          placeholder="its default or cheapest"
          value={asked}
          list={`models-of-${name}`}
          onChange={(event) => setAsked(event.target.value)}
        />
        <datalist id={`models-of-${name}`}>
          {models.map((each) => (
            <option key={each.name} value={each.name} />
          ))}
        </datalist>
        <button type="submit" className="button" disabled={busy || !mayAsk} aria-label={`Test ${name}`}>
          <Zap size={14} aria-hidden /> {busy ? 'Asking…' : 'Test'}
        </button>
      </form>
      {test !== null && <TestResult test={test} />}
    </section>
  );
}

function Prices({ provider: { models } }: { provider: ProviderView }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="prices" tabIndex={0} aria-label="Prices in US dollars per million tokens">
      <table className="grid">
        <thead>
          <tr>
            <th>$ per M tokens</th>
            <th>in</th>
            <th>cached</th>
            <th>out</th>
          </tr>
        </thead>
        <tbody>
          {models.map(({ name, price }) => (
            <tr key={name}>
              <td>{name}</td>
              <td className="number">{price?.input ?? '–'}</td>
              <td className="number">{price?.cached ?? '–'}</td>
              <td className="number">{price?.output ?? '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function TestResult({ test }: { test: ModelTest }) {
  if (test.failure !== null) return <FailureNotice failure={test.failure} />;
  return (
    <div className="notice small" role="status">
      {test.ok ? (
        <CircleCheck size={15} className="ok-text" aria-label="answered" />
      ) : (
        <CircleX size={15} className="bad-text" aria-label="failed" />
      )}
      <div>
        <strong>{test.answeredBy}</strong> answered “{test.text}” in {duration(test.milliseconds)}: {test.usage.input}{' '}
        tokens in, {test.usage.output} out, {money(test.usd)}.
        {test.provider === 'rehearsal' && ' This is a rehearsal: no model was asked.'}
      </div>
    </div>
  );
}
