import type { Plugin, Rollup } from 'vite';
import { preloadedPages, requests } from './src/preloads.ts';

/** Name of the list in the folder of the built studio. */
const fileName = '.preloads.json';

/**
 * Writes what each page needs: by the first part of its path, with '' for all that are not named, the addresses of scripts, styles and requests in which `:id`
 * stands for the second part of the path. The server says it in the headers of the page.
 */
export function preloadList(): Plugin {
  return {
    name: 'preload-list',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const chunkOf = (module: string): Rollup.OutputChunk => {
        const found = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/src/${module}`)));
        if (found === undefined) throw new Error(`No file of the build holds src/${module}.`);
        return found;
      };
      const filesOf = (chunk: Rollup.OutputChunk, into = new Set<string>()): Set<string> => {
        if (into.has(chunk.fileName)) return into;
        into.add(chunk.fileName);
        for (const style of chunk.viteMetadata?.importedCss ?? []) into.add(style);
        for (const name of chunk.imports) {
          const file = bundle[name];
          if (file?.type === 'chunk') filesOf(file, into);
        }
        return into;
      };
      // The browser asks in this order, with few requests at once: first what runs first.
      const entries = chunks.filter(({ isEntry }) => isEntry);
      const first = [...entries, chunkOf('parser.ts'), chunkOf('start.tsx')].flatMap((chunk) => [...filesOf(chunk)]);
      const list = Object.fromEntries(
        Object.entries({ '': null, ...preloadedPages }).map(([section, page]) => {
          const own = page === null ? [] : filesOf(chunkOf(page.module));
          const files = [...new Set([...first, ...own])].map((file) => `/${file}`);
          return [section, [...files, ...(page === null ? [] : [page.request]), ...requests]];
        }),
      );
      this.emitFile({ type: 'asset', fileName, source: JSON.stringify(list) });
    },
  };
}
