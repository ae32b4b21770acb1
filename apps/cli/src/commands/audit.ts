import type { ApiClient } from '@cua-forge/api-client/api-client';
import type { AuditAction } from '@cua-forge/spec/api-route';
import { exitCodes } from './exit-code.ts';
import { type Output, printResult, tableText } from './output.ts';

interface AuditFilter {
  user?: string;
  action?: AuditAction;
  target?: string;
  limit: number;
}

/** Who did what, newest first. */
export async function showAudit(api: ApiClient, output: Output, filter: AuditFilter): Promise<number> {
  const { entries } = await api.audit(filter);
  printResult(output, entries, () =>
    entries.length === 0
      ? 'Nothing was changed yet.'
      : tableText(
          ['when', 'who', 'did', 'to', 'detail'],
          entries.map(({ at, user, action, target, detail }) => [
            new Date(at).toISOString(),
            user,
            action,
            target,
            detail,
          ]),
        ),
  );
  return exitCodes.done;
}
