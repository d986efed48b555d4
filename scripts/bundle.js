// Makes one file of the service and one of each of its child processes, with the packages that they need: what is in one file is read in
// half the time. What is only needed at times stays in files of its own.
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { build } from 'esbuild';

const common = {
  outdir: 'dist',
  outbase: 'dist',
  allowOverwrite: true,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  keepNames: true,
  sourcemap: 'linked',
  sourcesContent: false,
  // For packages that were written for `require`.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
  logLevel: 'warning',
};

/** They come with native code, or with files that they look for beside themselves. */
const BESIDE_PROCESSES = ['@duckdb/node-bindings', 'canvas', 'pdfjs-dist'];

/** It reads most of what it needs when it knows which kind of place it is sent to. */
const IN_PARTS = 'place.process.js';

await build({
  ...common,
  // They look at no names; giving each function that is made its name takes a twentieth of the reading of a message.
  keepNames: false,
  entryPoints: readdirSync('dist', { recursive: true })
    .filter((name) => name.endsWith('.process.js') && !name.endsWith(IN_PARTS))
    .map((name) => join('dist', name)),
  external: BESIDE_PROCESSES,
});

/** What the service reads when it starts. All other packages are read from where they are, when they are needed. */
const WITHIN = `
  @nestjs reflect-metadata rxjs iterare es-toolkit tslib uid path-to-regexp object-hash cron luxon
  fastify @fastify find-my-way avvio light-my-request ajv ajv-formats fast-json-stringify fast-querystring fast-safe-stringify semver
  class-transformer class-validator validator libphonenumber-js
  readable-stream string_decoder glob minipass
  passport passport-strategy passport-jwt jsonwebtoken jws jwa rate-limiter-flexible @opentelemetry/api
  ipaddr.js js-yaml lru-cache papaparse fastest-levenshtein snowball-stemmers jstat minisearch
`
  .trim()
  .split(/\s+/);
const ASKED = Symbol('resolved by the plugin itself');

/** What belongs to the service's one file. */
const within = {
  name: 'within',
  setup({ onLoad, onResolve, resolve: find }) {
    onResolve({ filter: /^[^./]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (kind === 'entry-point' || pluginData === ASKED || isBuiltin(path)) return undefined;
      const found = await find(path, { kind, importer, resolveDir, pluginData: ASKED });
      // A package that has another version of its own keeps it; one that is not there is asked for in vain, as it would be without this.
      const isOwn = found.path.lastIndexOf('node_modules') > resolve('node_modules').length;
      const isWithin = WITHIN.some((name) => path === name || path.startsWith(`${name}/`));
      // Of a package for `require` a bundled import() has no names.
      if (kind === 'dynamic-import' && !path.startsWith('@nestjs/')) return { path, external: true };
      return found.errors.length === 0 && (isOwn || isWithin) ? undefined : { path, external: true };
    });
    // It makes a `require` of its own, which would read these packages a second time.
    onLoad({ filter: /@nestjs[\\/]mapped-types[\\/]dist[\\/].*\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return { contents: text.replace('const require = createRequire(import.meta.url);', ''), loader: 'js' };
    });
    // Modules that look for files beside themselves go on to find them there.
    onLoad({ filter: /[\\/]dist[\\/].*\.js$/ }, async ({ path }) => {
      if (path.includes('node_modules')) return undefined;
      const text = await readFile(path, 'utf8');
      const place = `new URL('./${relative('dist', path)}', import.meta.url).href`;
      return { contents: text.replaceAll('import.meta.url', place), loader: 'js' };
    });
  },
};

await build({
  ...common,
  entryPoints: ['dist/main.js'],
  splitting: true,
  chunkNames: 'part-[hash]',
  plugins: [within],
  // The plugin of `nest build` says once more what a decorator says.
  logOverride: { 'duplicate-object-key': 'silent' },
});
