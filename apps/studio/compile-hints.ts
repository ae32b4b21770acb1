import type { Plugin } from 'vite';

/** Asks the browser to compile all functions of a file while it loads it, beside the page's own work, instead of one by one when they are called. */
const HINT = '//# allFunctionsCalledOnLoad';

/** Writes that hint into the files of these names: those whose code a page mostly runs before it is shown. */
export function compileHints(names: ReadonlySet<string>): Plugin {
  return {
    name: 'compile-hints',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk' && names.has(file.name)) file.code = `${HINT}\n${file.code}`;
    },
  };
}
