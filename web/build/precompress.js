import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const TEXT = /\.(js|css|svg|json|txt|webmanifest)$/;
const WORTH_IT = 1024;
// Higher takes seconds for a hundredth.
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Writes a .gz and a .br beside each file that gains by it. The page itself is made anew for each answer, and compressed then. */
export function precompress() {
  return {
    name: 'precompress',
    apply: 'build',
    writeBundle({ dir }) {
      const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).map((file) => join(dir, file));
      for (const file of files.filter((name) => TEXT.test(name) && statSync(name).size >= WORTH_IT)) {
        const bytes = readFileSync(file);
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, BROTLI));
      }
    },
  };
}
