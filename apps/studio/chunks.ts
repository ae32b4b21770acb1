import type { Rollup } from 'vite';

const libraries =
  /\/node_modules\/(react|react-dom|scheduler|zustand|use-sync-external-store|zod|lucide-react)\/|\/src\/parser\.ts$|commonjsHelpers/;
/** What runs before the studio's code is there, and is used by it: never in one file with it, or each would wait for the other. */
const first = /\/src\/(api\/early|loaded-pages|preloads)\.ts$|vite\/preload-helper/;
/** What every page needs, and small parts that many do: each would be a file of its own, and a request takes longer than reading them. */
const shared =
  /\/studio\/src\/(start|ui\/tabs|values\/value-view|canvas\/family)\.tsx$|\/spec\/src\/canonical-json\.ts$/;

/** Which file of the build a module goes to, where that matters; the rest is left to the bundler. For one build: what is shared is found once. */
export function chunks(): Rollup.GetManualChunk {
  let studio: ReadonlySet<string> | undefined;
  return (id, { getModuleIds, getModuleInfo }) => {
    if (libraries.test(id)) return 'libraries';
    if (first.test(id)) return 'first';
    studio ??= importedBy(
      [...getModuleIds()].filter((each) => shared.test(each)),
      (each) => getModuleInfo(each)?.importedIds ?? [],
    );
    return studio.has(id) ? 'studio' : undefined;
  };
}

/** The entries and all that they import. */
function importedBy(entries: readonly string[], importsOf: (id: string) => readonly string[]): ReadonlySet<string> {
  const ids = new Set<string>();
  const visit = (id: string) => {
    if (ids.has(id)) return;
    ids.add(id);
    for (const each of importsOf(id)) visit(each);
  };
  for (const entry of entries) visit(entry);
  return ids;
}
