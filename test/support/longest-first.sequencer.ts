import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Folders whose files take long, the longest first; the others come after them. */
const ORDER = ['/test/e2e/', '/test/contracts/', '/test/browser/', '/test/api/'];
/** Short to read and long to run: they kill, and wait until what was killed has been found. */
const PATIENT = /(kill|chaos)[^/]*\.test\.ts$/;

/**
 * Starts with what takes long, so that nobody waits for the last file alone. Files of a folder stay together, because a process goes from
 * one to the next.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => placeOf(one) - placeOf(other));
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = ORDER.findIndex((folder) => moduleId.includes(folder));
  return (place === -1 ? ORDER.length : place) + (PATIENT.test(moduleId) ? 0 : 0.5);
}
