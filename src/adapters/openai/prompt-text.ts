import type { AnswerSource } from '../../ports/assistant-answer.js';
import { tame } from '../../shared/tame.js';

const MAX_NAME = 64;
const MAX_QUOTE = 2000;

/** Passages of documents, numbered as an answer may name them. */
export function passagesText(passages: readonly AnswerSource[]): string {
  return passages
    .map(({ filename, page, quote }, index) => {
      const where = page === null ? '' : `, page ${page}`;
      const text = quote.replace(/[^\P{Cc}\n]+/gu, ' ').slice(0, MAX_QUOTE);
      return `[${index + 1}] ${tame(filename, MAX_NAME)}${where}\n${text}`;
    })
    .join('\n\n');
}
