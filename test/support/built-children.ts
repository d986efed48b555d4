import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Runs before all tests, for each project: child processes are started from the build, unless the source is newer or there is none. What
 * lives as long as a process of tests has a folder, which is removed after them.
 */
export default function setup(): (() => void) | undefined {
  if (process.env['TEST_RUN_FOLDER'] !== undefined) return undefined;
  if (newest('../../dist/', /\.js$/) > newest('../../src/', /(?<!\.test|\.fixture|\.builder)\.ts$/)) {
    process.env['TEST_BUILT_CHILDREN'] = '1';
  }
  const folder = mkdtempSync(join(tmpdir(), 'das-run-'));
  process.env['TEST_RUN_FOLDER'] = folder;
  return () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

/** When the last change of such a file was made, in milliseconds since 1970; 0 when there is none. */
function newest(folder: string, name: RegExp): number {
  const path = fileURLToPath(new URL(folder, import.meta.url));
  try {
    const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((file) => name.test(file));
    return Math.max(0, ...files.map((file) => statSync(`${path}${file}`).mtimeMs));
  } catch {
    return 0;
  }
}
