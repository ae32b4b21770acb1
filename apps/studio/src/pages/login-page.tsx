import { toForgeError } from '@cua-forge/spec/errors';
import { LogIn } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../api/session-store.ts';
import { Dialog } from '../ui/dialog.tsx';

/** Asks who comes. */
export function LoginPage() {
  return (
    <div className="page login">
      <div className="page-head">
        <h1>Log in</h1>
      </div>
      {/* What the page asked for before it knew who asks was refused: it begins anew. */}
      <LoginForm onLoggedIn={() => location.reload()} />
    </div>
  );
}

/** Over a page whose session has ended: what is open there, with its edits, stays. */
export function LoginDialog() {
  return (
    <Dialog title="Your session has ended" onClose={() => {}}>
      <p className="hint">Log in again to go on. What is open stays as it is, with your unsaved changes.</p>
      <LoginForm />
    </Dialog>
  );
}

/** Asks for a token, or sends the browser to the issuer. */
function LoginForm({ onLoggedIn = () => {} }: { onLoggedIn?: () => void }) {
  const logins = useSession(({ session }) => session?.logins);
  const logIn = useSession((state) => state.logIn);
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async () => {
    try {
      await logIn(token.trim());
      onLoggedIn();
    } catch (thrown) {
      const { message, fix } = toForgeError(thrown);
      setProblem([message, fix].join(' ').trim());
    }
  };
  return (
    <div className="stack">
      {logins?.oidc === true && (
        <p>
          <a className="button primary" href={`/auth/login?to=${encodeURIComponent(location.pathname)}`}>
            <LogIn size={14} aria-hidden /> Log in with your organization
          </a>
        </p>
      )}
      {logins?.token === true && (
        // A dialog is a form already, and forms do not nest.
        <div
          role="none"
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            void submit();
          }}
        >
          <label className="field">
            <span className="label">Token</span>
            <input
              className="input"
              type="password"
              autoComplete="current-password"
              value={token}
              onChange={(event) => setToken(event.target.value)}
            />
          </label>
          <div className="row">
            <button
              type="button"
              className="button primary"
              onClick={() => void submit()}
              disabled={token.trim() === ''}
            >
              Log in
            </button>
          </div>
          {problem !== null && (
            <p className="small" role="alert">
              {problem}
            </p>
          )}
        </div>
      )}
    </div>
  );
}
