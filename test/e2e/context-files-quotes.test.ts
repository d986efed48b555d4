import { beforeAll, describe, expect, it } from 'vitest';
import { nearestQuote, quotesFor } from '../../src/analyst/passages/passages.js';
import { HashingEmbedder } from '../../src/adapters/embedding/hashing-embedder.js';
import { MiniSearchPassageIndex } from '../../src/adapters/passages/minisearch-passage-index.js';
import { cutPassages } from '../../src/features/context-files/passages/passage-cutter.js';
import { searchedHeading } from '../../src/features/context-files/retrieval/passage-index-cache.js';
import type { AnswerSource } from '../../src/ports/assistant-answer.js';
import type { PassageShelf } from '../../src/ports/passage-index.js';
import { DOCUMENTS, HELD_OUT, QUESTIONS, type DocumentQuestionCase } from './context-files.documents.js';

const embedder = new HashingEmbedder();
const shelf: PassageShelf = new MiniSearchPassageIndex().newShelf();
const sources = new Map<string, AnswerSource>();

beforeAll(async () => {
  for (const { filename, blocks } of DOCUMENTS) {
    const passages = cutPassages(blocks);
    const vectors = await embedder.embed(
      passages.map(({ text }) => text),
      new AbortController().signal,
    );
    const added = passages.map(({ text, heading, page }, n) => {
      const id = `${filename}.${n}`;
      sources.set(id, { fileId: filename, filename, page, quote: heading === null ? text : `${heading}\n${text}` });
      return { id, group: filename, heading: searchedHeading(filename, heading), text, vector: vectors[n] ?? null };
    });
    await shelf.add(added);
  }
});

async function passagesFor(question: string): Promise<readonly AnswerSource[]> {
  const [vector] = await embedder.embed([question], new AbortController().signal);
  const hits = shelf.search({ text: question, vector: vector ?? null, vectorWeight: embedder.weight, limit: 6 });
  return hits.map(({ id }) => sources.get(id)!);
}

async function firstQuote(question: string): Promise<string | null> {
  return quotesFor(question, await passagesFor(question))?.[1] ?? null;
}

interface Outcome {
  /** An answer that the documents do not give, or another than they give. */
  readonly wrong: readonly string[];
  /** No answer where the documents give one. */
  readonly missed: readonly string[];
}

async function outcomeOf(cases: readonly DocumentQuestionCase[]): Promise<Outcome> {
  const wrong: string[] = [];
  const missed: string[] = [];
  for (const each of cases) {
    const quote = await firstQuote(each.question);
    if (quote === null && each.answer !== null) missed.push(each.question);
    if (quote !== null && !isRight(quote, each)) wrong.push(`${each.question} -> ${quote}`);
  }
  return { wrong, missed };
}

function isRight(quote: string, { answer, file = '' }: DocumentQuestionCase): boolean {
  return answer?.test(quote) === true && quote.includes(file);
}

describe('questions about five documents', () => {
  it('that the answering was made with are answered by the first quote, or honestly not at all', async () => {
    expect(await outcomeOf(QUESTIONS)).toEqual({ wrong: [], missed: [] });
  });

  it('that it was not made with are answered, or rather not at all than wrongly', async () => {
    const { wrong, missed } = await outcomeOf(HELD_OUT);
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(1);
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(8);
  });

  it('that come near an answer get what is nearest', async () => {
    const question = 'Am I allowed to plug in my own USB stick?';
    expect(nearestQuote(question, await passagesFor(question))).toContain('must not be connected');
    const other = 'Who is the chief executive officer?';
    expect(nearestQuote(other, await passagesFor(other))).toBeNull();
  });
});
