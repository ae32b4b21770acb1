import { toForgeError } from '@cua-forge/spec/errors';
import { LogIn } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../api/session-store.ts';

/** Asks for a token, or sends the browser to the issuer. */
export function LoginPage() {
  const logins = useSession(({ session }) => session?.logins);
  const logIn = useSession((state) => state.logIn);
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async () => {
    try {
      await logIn(token.trim());
    } catch (thrown) {
      const { message, fix } = toForgeError(thrown);
      setProblem([message, fix].join(' ').trim());
    }
  };
  return (
    <div className="page">
      <div className="page-head">
        <h1>Log in</h1>
      </div>
      {logins?.oidc === true && (
        <p>
          <a className="button primary" href={`/auth/login?to=${encodeURIComponent(location.pathname)}`}>
            <LogIn size={14} aria-hidden /> Log in with your organization
          </a>
        </p>
      )}
      {logins?.token === true && (
        <form
          onSubmit={(event) => {
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
            <button type="submit" className="button" disabled={token.trim() === ''}>
              Log in
            </button>
          </div>
          {problem !== null && (
            <p className="small" role="alert">
              {problem}
            </p>
          )}
        </form>
      )}
    </div>
  );
}
