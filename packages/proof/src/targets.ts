import { leavesOf } from '@cua-forge/spec/check';
import type { CompiledChecks } from '@cua-forge/spec/check-compile';

/** Paths in the sandbox that checks look at, without folders and hidden references. */
export function targetsOf(checks: CompiledChecks): string[] {
  const paths = [...checks.values()].flatMap(leavesOf).flatMap(({ see, expect }) => {
    const places = 'same' in expect ? [see, expect.same] : 'looksLike' in expect ? [see, expect.looksLike] : [see];
    return places.flatMap((place) =>
      'path' in place && place.look !== 'folder' && place.look !== 'browser' && !place.path.startsWith('reference:')
        ? [place.path]
        : [],
    );
  });
  return [...new Set(paths)];
}

export const endingOf = (path: string): string => /\.([A-Za-z0-9]{1,8})$/.exec(path)?.[1]?.toLowerCase() ?? '';
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Whether a check looks at processes, windows or what a command says. */
export const looksAtPrograms = (checks: CompiledChecks): boolean =>
  [...checks.values()]
    .flatMap(leavesOf)
    .some(({ see }) => ['processes', 'windows', 'command', 'screenshot'].includes(see.look));
