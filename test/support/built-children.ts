import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Runs once before all tests: child processes are started from the build, unless the source is newer or there is none. */
export default function setup(): void {
  if (newest('../../dist/', /\.js$/) > newest('../../src/', /(?<!\.test|\.fixture|\.builder)\.ts$/)) {
    process.env['TEST_BUILT_CHILDREN'] = '1';
  }
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
