import type { AnalysisPlan } from '../../../ports/analysis-plan.js';

/** How the figures of an answer are to be judged in one sentence, where the question asks for a verdict. */
export type Verdict =
  /** By the p-value of a statistic plan: below `level` it is significant, or for `normality` the values are not normal. */
  | {
      readonly by: 'p-value';
      readonly about: 'correlation' | 'difference' | 'association' | 'normality' | 'regression';
      readonly level: number;
    }
  /** By the size of a figure: the first measure, its sign left out, is small up to `limit`; for `normality` that is near to normal. */
  | { readonly by: 'size'; readonly about: 'normality' | 'correlation'; readonly limit: number };

/** Which of the result the question asks for, where the plan has to work out more than that. */
export interface Focus {
  /**
   * `highest` and `lowest`: the measure of a single row whose figure is that (the answer is its column). `row`: the row of a
   * statistic's result whose first cell is `term`. `column`: that column of a statistic's result. `bounds`: the limits beyond which values
   * are outliers: of first quartile, third quartile and interquartile range `q1 - factor * iqr` and `q3 + factor * iqr`; of mean and
   * standard deviation `mean ± factor * deviation`.
   */
  readonly on: 'highest' | 'lowest' | 'row' | 'column' | 'bounds';
  readonly term: string | null;
  readonly factor?: number | undefined;
}

/** A name for figures of a size; an end that is `null` is open. */
export interface Grade {
  readonly label: string;
  readonly low: { readonly value: number; readonly included: boolean } | null;
  readonly high: { readonly value: number; readonly included: boolean } | null;
}

/** How the message wants a figure to be called: by the first of the classes that it fits, else `otherwise`. */
export interface Grades {
  readonly classes: readonly Grade[];
  readonly otherwise: string | null;
  /** The sign is left out. */
  readonly ofSize: boolean;
}

/** What a question was understood to ask, or why it was not. */
export type Understanding =
  | {
      readonly kind: 'plan';
      readonly plan: AnalysisPlan;
      /** The question as it was understood, in words. */
      readonly purpose: string;
      /** What was assumed, a sentence each. */
      readonly notes: readonly string[];
      /** Words that were not read and change nothing. */
      readonly unread: readonly string[];
      /** 1: every word was read. */
      readonly confidence: number;
      readonly verdict?: Verdict | undefined;
      readonly focus?: Focus | undefined;
      readonly grades?: Grades | undefined;
    }
  | {
      readonly kind: 'unclear';
      readonly verdict: 'clarify' | 'cannot';
      readonly reasons: readonly string[];
      /** Words that stand in the way. */
      readonly unread: readonly string[];
    };

/** How an answer is to be written, where the question says so. */
export interface AnswerFormat {
  /** Digits after the decimal point; `null`: as suits the figure. */
  readonly decimals: number | null;
  /** Digits that count, from the first that is not zero. */
  readonly significant?: number | undefined;
  /** A share is wanted as a percentage (`percent`) or as a fraction (`fraction`). */
  readonly shares?: 'percent' | 'fraction' | undefined;
  /** The answer is to begin with yes or no. */
  readonly yesOrNo?: boolean | undefined;
}

/** One of the questions of a message. */
export interface Part {
  readonly question: string;
  readonly understanding: Understanding;
  readonly format: AnswerFormat;
}
