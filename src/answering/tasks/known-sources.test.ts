import { describe, expect, it } from 'vitest';
import type { AnswerSource } from '../../ports/assistant-answer.js';
import { KnownSources } from './task-run.js';

function aSource(quote: string): AnswerSource {
  return { fileId: 'f1', filename: 'handbook.pdf', page: 1, quote };
}

describe('the sources of a run', () => {
  it('have one numbering, whatever the answers called them', () => {
    const sources = new KnownSources();
    const [a, b, c] = [aSource('a'), aSource('b'), aSource('c')];
    expect(sources.renumbered('As told [1], and [2].', [a, b])).toBe('As told [1], and [2].');
    expect(sources.renumbered('See [1, 2].', [c, a])).toBe('See [3, 1].');
    expect(sources.all).toEqual([a, b, c]);
  });

  it('leave numbers alone that are no source', () => {
    const sources = new KnownSources();
    expect(sources.renumbered(String.raw`See [7], \[1] and [1](x).`, [aSource('a')])).toBe(
      String.raw`See [7], \[1] and [1](x).`,
    );
  });
});
