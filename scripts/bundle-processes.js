// Makes one file of each child process of the build, with the packages that it needs: one file is read in less than half the time.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** They come with native code, or with files that they look for beside themselves. */
const BESIDE = ['@duckdb/node-bindings', '@resvg/resvg-js', 'pdfjs-dist'];

/** It reads most of what it needs when it knows which kind of place it is sent to. */
const IN_PARTS = 'place.process.js';

const entryPoints = readdirSync('dist', { recursive: true })
  .filter((name) => name.endsWith('.process.js') && !name.endsWith(IN_PARTS))
  .map((name) => join('dist', name));

await build({
  entryPoints,
  outdir: 'dist',
  outbase: 'dist',
  allowOverwrite: true,
  bundle: true,
  external: BESIDE,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  keepNames: true,
  sourcemap: 'linked',
  sourcesContent: false,
  // For packages that were written for `require`.
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  logLevel: 'warning',
});
