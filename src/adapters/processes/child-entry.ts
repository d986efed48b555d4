import { fileURLToPath } from 'node:url';

export interface ChildEntry {
  readonly path: string;
  /** Arguments for node itself. */
  readonly execArgv: readonly string[];
}

/**
 * Finds the entry file of a child process or worker beside the module that starts it: `childEntry(import.meta.url, './engine.process')`.
 * Built code starts `.js`; code that runs from its source (tests) starts `.ts` through tsx.
 */
export function childEntry(importerUrl: string, name: string): ChildEntry {
  const fromSource = importerUrl.endsWith('.ts');
  return {
    path: fileURLToPath(new URL(`${name}${fromSource ? '.ts' : '.js'}`, importerUrl)),
    execArgv: fromSource ? ['--import', import.meta.resolve('tsx')] : ['--enable-source-maps'],
  };
}
