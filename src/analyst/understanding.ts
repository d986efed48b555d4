import type { AnalysisPlan } from '../ports/analysis-plan.js';
import type { AnswerFormat } from './answer-format.js';
import type { ChartWish } from './charts/chart-wish.js';

/** A question as it was read: what is asked of the table, and that in words. */
export interface PlannedReading {
  readonly plan: AnalysisPlan;
  readonly purpose: string;
}

/** What a question was understood to ask, or why it was not. */
export type Understanding =
  | (PlannedReading & {
      readonly kind: 'plan';
      /** Words that the reading leaves out. */
      readonly unread: readonly string[];
      /** What was assumed or left out, a sentence each. */
      readonly notes: readonly string[];
      /** How likely the reading is right: 0 to 1. */
      readonly confidence: number;
    })
  | {
      readonly kind: 'choice';
      /** One to three, of which the person may choose. */
      readonly readings: readonly PlannedReading[];
      readonly unread: readonly string[];
      /** Which words nobody knows here, in a sentence; `null`: all are known. */
      readonly unknown: string | null;
    }
  | Unclear;

/** A question that was not understood, or asks for what no row tells. */
export interface Unclear {
  readonly kind: 'unclear';
  readonly verdict: 'clarify' | 'cannot';
  readonly unread: readonly string[];
  /** Nothing is asked of the rows: it is small talk, or beyond them. */
  readonly isAside: boolean;
  /** What there is to say to it. */
  readonly says: string;
  /** Questions that can be answered, those first that share most words with it. */
  readonly offers: readonly string[];
}

/** One of the questions of a message. */
export interface Part {
  readonly question: string;
  readonly understanding: Understanding;
  readonly wish: ChartWish;
  readonly format: AnswerFormat;
}
