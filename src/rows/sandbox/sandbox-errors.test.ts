import { describe, expect, it } from 'vitest';
import { tellable } from './sandbox-protocol.js';

const INTERNAL = ['/srv/rows/base.1.duckdb', 'rows_0123'];

describe('what is told of a complaint', () => {
  it('is what the engine says, without a copy of the statement', () => {
    const said =
      'Binder Error: Referenced column "x" not found!\nCandidates: "y"\n\nLINE 1: SELECT x FROM data\n               ^';
    expect(tellable(said, INTERNAL)).toBe('Binder Error: Referenced column "x" not found!\nCandidates: "y"');
  });

  it.each([
    ['IO Error: Cannot open "/srv/rows/base.1.duckdb"', 'IO Error: Cannot open "…"'],
    ['Error: no file /etc/some/where.txt here', 'Error: no file … here'],
    ['Did you mean "rows_0123.main.facts or rows_0123.facts"?', 'Did you mean "facts or facts"?'],
    ['Table memory.main.data', 'Table data'],
    ['a/b is no path', 'a/b is no path'],
  ])('%s → %s', (said, told) => {
    expect(tellable(said, INTERNAL)).toBe(told);
  });

  it('is one sentence when memory ran out', () => {
    expect(tellable('Out of Memory Error: failed to allocate 5 GB (/tmp/x/y)', INTERNAL)).toBe(
      'the query needs more memory than a query may use',
    );
  });

  it('is short', () => {
    expect(tellable('x'.repeat(10_000), INTERNAL).length).toBeLessThan(700);
  });
});
