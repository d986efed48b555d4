import type { AnswerSource } from '../../ports/assistant-answer.js';

const CITATION = /(?<!\\)\[(\d{1,3}(?:, ?\d{1,3}){0,9})\](?!\()/g;

/** The passages of a whole run under one numbering. */
export class KnownSources {
  private readonly known: AnswerSource[] = [];

  get all(): readonly AnswerSource[] {
    return this.known;
  }

  /** The text of an answer with the numbers of its sources replaced by those of the run, where all of them are kept. */
  renumbered(text: string, sources: readonly AnswerSource[]): string {
    const numbers = sources.map((source) => this.numberOf(source));
    return text.replace(CITATION, (whole, list: string) => {
      const places = list.split(',').map((digits) => numbers[Number(digits) - 1]);
      return places.includes(undefined) ? whole : `[${places.join(', ')}]`;
    });
  }

  private numberOf(passage: AnswerSource): number {
    const place = this.known.findIndex(
      ({ fileId, page, quote }) => fileId === passage.fileId && page === passage.page && quote === passage.quote,
    );
    return place < 0 ? this.known.push(passage) : place + 1;
  }
}
