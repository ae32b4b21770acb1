import { Component, type ReactNode } from 'react';

interface CrashGuardProps {
  /** What is shown; another key tries anew. */
  children: ReactNode;
}

/** Shows what went wrong instead of an empty page when a part of the studio throws, or a part of it cannot be loaded. */
export class CrashGuard extends Component<CrashGuardProps, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(thrown: unknown): { error: Error } {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <div className="empty" role="alert">
        <h2>This page broke</h2>
        <p>{error.message}</p>
        <p>Reloading helps when the studio was updated meanwhile; what was saved is not lost.</p>
        <button type="button" className="button primary" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    );
  }
}
