import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Evidence } from '../../src/analyst/reading/confidence.js';
import type { CorpusQuestion } from './corpus.js';
import type { Example, Learning, Ranking } from './learning.js';
import type { FollowUp } from './training.js';

/** Questions by author. */
export type Sets = ReadonlyMap<string, readonly CorpusQuestion[]>;

/** A question of the corpus as both learners see it. */
export interface Seen {
  readonly table: string;
  readonly example: Example | null;
  readonly followUp: FollowUp | null;
}

/** What tells how sure the first reading of a question is, and whether it is right. */
export interface Judgement {
  readonly evidence: Evidence;
  readonly isRight: boolean;
}

/** What a worker is asked to read: an author's questions, as conversations of their own, with the ranking that it was sent last. */
export interface Asking {
  readonly id: number;
  readonly questions: readonly CorpusQuestion[];
  readonly wanted: 'examples' | 'judgements';
}

/** Questions to learn from. */
interface Teaching {
  readonly id: number;
  readonly seen: readonly Seen[];
  readonly learning: Learning;
}

export type Message = Ranking | Asking | Teaching;

export interface Answer {
  readonly id: number;
  readonly seen?: readonly Seen[];
  readonly judgements?: readonly Judgement[];
  readonly ranking?: Ranking;
}

/** A worker of Node 20 does not take TypeScript from its parent. */
const START = `import('tsx/esm/api').then(({ register }) => {
  register();
  return import(${JSON.stringify(new URL('./read-corpus.worker.ts', import.meta.url).href)});
});`;

/** Reads questions and learns from them on all processors. What comes out does not depend on how many there are. */
export class CorpusReaders {
  private readonly workerOf = new Map<string, Worker>();
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private asked = 0;
  private readonly workers = Array.from({ length: availableParallelism() }, () => {
    // Reading makes much that it soon needs no more.
    const worker = new Worker(START, { eval: true, resourceLimits: { maxYoungGenerationSizeMb: 192 } });
    worker.on('message', (answer: Answer) => this.waiting.get(answer.id)?.(answer));
    worker.on('error', (error) => {
      throw error;
    });
    return { worker, questions: 0 };
  });

  async examples(sets: Sets, ranking: Ranking): Promise<readonly Seen[]> {
    return (await this.ask(sets, ranking, 'examples')).flatMap(({ seen = [] }) => seen);
  }

  async judgements(sets: Sets, ranking: Ranking): Promise<readonly Judgement[]> {
    return (await this.ask(sets, ranking, 'judgements')).flatMap(({ judgements = [] }) => judgements);
  }

  /** The answers, in the order of the authors. */
  private ask(sets: Sets, ranking: Ranking, wanted: Asking['wanted']): Promise<readonly Answer[]> {
    for (const { worker } of this.workers) worker.postMessage(ranking satisfies Message);
    return Promise.all(
      [...sets].map(([author, questions]) => {
        const reader = this.readerOf(author, questions.length);
        return this.answerOf(reader, { questions, wanted });
      }),
    );
  }

  /** What is learned of each set of questions; each by one of the workers. */
  async learned(sets: readonly (readonly Seen[])[], learning: Learning): Promise<readonly Ranking[]> {
    const answers = await Promise.all(
      sets.map((seen, index) => {
        const { worker } = this.workers[index % this.workers.length]!;
        return this.answerOf(worker, { seen, learning });
      }),
    );
    return answers.flatMap(({ ranking }) => ranking ?? []);
  }

  private answerOf(worker: Worker, asked: Omit<Asking, 'id'> | Omit<Teaching, 'id'>): Promise<Answer> {
    const id = ++this.asked;
    const answered = new Promise<Answer>((resolve) => this.waiting.set(id, resolve));
    worker.postMessage({ id, ...asked } satisfies Message);
    return answered;
  }

  /** An author is always read by the same worker, which knows the grades. */
  private readerOf(author: string, questions: number): Worker {
    const known = this.workerOf.get(author);
    if (known !== undefined) return known;
    const idlest = this.workers.reduce((one, other) => (other.questions < one.questions ? other : one));
    idlest.questions += questions;
    this.workerOf.set(author, idlest.worker);
    return idlest.worker;
  }
}
