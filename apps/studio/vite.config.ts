import { defineConfig } from 'vite';
import { chunks } from './chunks.ts';
import { preloadList } from './preload-list.ts';

/** Same-origin paths of the server; in development they go to the server that FORGE_URL names. */
const backend = process.env.FORGE_URL ?? 'http://127.0.0.1:7400';

/** Remarks about the insides of dependencies that nobody here can act on. */
const noise: ReadonlySet<string> = new Set(['MODULE_LEVEL_DIRECTIVE', 'INVALID_ANNOTATION']);

export default defineConfig({
  root: import.meta.dirname,
  esbuild: { jsx: 'automatic' },
  plugins: [preloadList()],
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    // The policy of the pages allows no inline script, so nothing may be inlined as a data URL that runs.
    assetsInlineLimit: 0,
    // The layout engine's worker is one file of that size, fetched when something is arranged.
    chunkSizeWarningLimit: 1700,
    rollupOptions: {
      output: {
        manualChunks: chunks(),
      },
      onwarn(warning, warn) {
        if (!noise.has(warning.code ?? '')) warn(warning);
      },
    },
  },
  server: { proxy: { '/api': backend, '/temporal': backend } },
});
