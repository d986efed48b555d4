import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { linguiMacros } from './web/build/macros.js';
import { LongestFirst } from './test/support/longest-first.sequencer.js';

/** They forbid modules to be loaded, which another file in the same process may have loaded before them. */
const ALONE = ['document-reader', 'embedded-start', 'vega-chart-renderer'].map(
  (name) => `test/contracts/${name}.test.ts`,
);

/** Tests that wait, for a lease to end or for a process to start, leave room for others; the rest needs a processor each. */
const WAITING = { maxWorkers: Math.max(4, availableParallelism()), sequence: { groupOrder: 1 } };

/** What imports make is copied where a test only needs rows that are there. */
const REMEMBERED_IMPORTS = fileURLToPath(new URL('./test/support/remembered-imports.ts', import.meta.url));

export default defineConfig({
  plugins: [
    // For tests of the console's parts, which have words.
    linguiMacros(),
    {
      name: 'remembered-imports',
      enforce: 'pre',
      resolveId: (name, importer = '') =>
        name === './jobs.js' && importer.endsWith('/src/rows/duckdb-row-engine.ts') ? REMEMBERED_IMPORTS : undefined,
    },
  ],
  resolve: {
    // As the adapters name it, so that the real one is still reached by its whole path.
    alias: [
      {
        find: /^(?:\.\.\/)+(?:adapters\/)?processes\/child-entry\.js$/,
        replacement: fileURLToPath(new URL('./test/support/built-child-entry.ts', import.meta.url)),
      },
    ],
  },
  test: {
    globalSetup: ['./test/support/built-children.ts'],
    reporters: ['default', './test/support/closing-line.reporter.ts'],
    setupFiles: ['./test/support/setup.ts'],
    // A limit for what hangs, not a measure: two busy cores may take five times as long as two idle ones.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    pool: 'forks',
    // What one process translated, the others read.
    experimental: { fsModuleCache: true },
    // The application is a few thousand modules: a process loads it once, for one file of tests after another.
    isolate: false,
    maxWorkers: availableParallelism(),
    // Much runs processes, servers and pages against the clock of a busy machine: it is tried once more, and the closing lines name it.
    retry: 1,
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: 'unit', include: ['src/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          // One project, whose processes each load the application once.
          name: 'service',
          include: ['test/{contracts,e2e}/**/*.test.ts'],
          exclude: ALONE,
          testTimeout: 180_000,
          expect: { poll: { timeout: 60_000, interval: 20 } },
          ...WAITING,
        },
      },
      { extends: true, test: { name: 'api', include: ['test/api/**/*.test.ts'] } },
      { extends: true, test: { name: 'alone', include: ALONE, isolate: true, ...WAITING } },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          testTimeout: 180_000,
          globalSetup: ['./test/browser/shared-house.ts'],
          // A page is drawn a moment after it was asked to.
          expect: { poll: { timeout: 20_000, interval: 100 } },
        },
      },
    ],
  },
});
