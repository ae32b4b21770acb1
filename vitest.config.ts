import { defineConfig } from 'vitest/config';

const shared = { pool: 'forks', testTimeout: 30_000, hookTimeout: 120_000 } as const;

/** `unit`: beside the code, no services. `integration`: under tests/, sharing one Temporal server that `inject('temporal')` tells of. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: [
            '{apps,packages}/*/src/**/*.test.{ts,tsx}',
            '{workflows,nodes,preparers,gates}/src/**/*.test.ts',
            '{scripts,skills}/**/*.test.ts',
            'bench/**/*.test.ts',
          ],
        },
      },
      {
        test: {
          ...shared,
          name: 'integration',
          include: ['tests/**/*.test.ts'],
          globalSetup: ['tests/global-setup.ts'],
          testTimeout: 300_000,
        },
      },
    ],
  },
});
