import { defineConfig } from 'vite';

/** Same-origin paths of the server; in development they go to the server that FORGE_URL names. */
const backend = process.env.FORGE_URL ?? 'http://127.0.0.1:7400';

export default defineConfig({
  root: import.meta.dirname,
  esbuild: { jsx: 'automatic' },
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    // The policy of the pages allows no inline script, so nothing may be inlined as a data URL that runs.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1700,
  },
  server: { proxy: { '/api': backend, '/temporal': backend } },
});
