import type { AggregatePlan, AnalysisPlan } from '../../ports/analysis-plan.js';
import type { AnswerKind, AnswerSource } from '../../ports/assistant-answer.js';
import type { QueryResult } from '../../ports/table.js';
import { inert } from '../../shared/markdown.js';
import type { PromptReading } from './prompt-reader.js';
import type { TaskAssignment, TaskFigure, TaskSubject } from './task-assignment.js';

export interface AskedQuery {
  readonly subject: TaskSubject;
  /** What it was to find out, in plain words. */
  readonly purpose: string;
  /** Null: it was written, not planned. */
  readonly plan: AnalysisPlan | null;
  readonly result: QueryResult;
  /** The question of the prompt that it belongs to, for relative times in it; empty when it has none. */
  readonly question: string;
}

/** A chart that was drawn and is kept. */
export interface Picture {
  readonly filename: string;
  readonly title: string;
}

/** What was asked of one datasource and what came of it. */
export interface Finding {
  readonly subject: TaskSubject;
  /** A heading in plain words: a question of the prompt, or what the run looked at by itself. */
  readonly question: string;
  readonly origin: 'prompt' | 'overview' | 'follow-up';
  /** `failed`: it was not worked out, for a reason that has nothing to do with the question. */
  readonly kind: AnswerKind | 'failed';
  /** Markdown; the first paragraph is its headline. */
  readonly text: string;
  readonly queries: readonly AskedQuery[];
  readonly picture: Picture | null;
  readonly sources: readonly AnswerSource[];
  /** What its figures rest on, as a line of Markdown; empty when on no query. */
  readonly basis: string;
  /** Figures of its text that stand in no result. */
  readonly unverified: readonly string[];
}

/** A figure of a run, and what tells whether two datasources have the same one. */
export interface FoundFigure extends TaskFigure {
  readonly subject: TaskSubject;
  /** The same for the same figure of another datasource. */
  readonly shared: string;
  /** It stands alone in its result: a total, not one of many groups. */
  readonly isSingle: boolean;
  /** It is that of a piece of time. */
  readonly isMoment: boolean;
}

/** What a reader must know of a datasource's rows before trusting a figure of them: sentences in Markdown. */
export interface SubjectQuality {
  readonly subject: TaskSubject;
  readonly sentences: readonly string[];
}

/** All that a run found, before it is written up. */
export interface Material {
  readonly assignment: TaskAssignment;
  readonly reading: PromptReading;
  /** In the order in which they were found. */
  readonly findings: readonly Finding[];
  readonly figures: readonly FoundFigure[];
  /** Markdown; empty when nothing can be compared. */
  readonly comparison: string;
  readonly quality: readonly SubjectQuality[];
  readonly queries: readonly AskedQuery[];
  readonly sources: readonly AnswerSource[];
  /** What went wrong and what was left out, sentences of Markdown. */
  readonly notes: readonly string[];
  readonly model: string;
  /** The model has written the whole answer already. */
  readonly isWritten: boolean;
  readonly startedAt: Date;
}

export function isAnswered({ kind }: Finding): boolean {
  return kind === 'answer';
}

/** Where a passage stands: `handbook.pdf, page 3`. */
export function placeOf({ filename, page }: AnswerSource): string {
  return `${inert(filename, 200)}${page === null ? '' : `, page ${page}`}`;
}

export function headlineOf({ text }: Finding): string {
  const [first = ''] = text.split('\n\n', 1);
  return first
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replace(/^#+\s+/, '');
}

/** A question of the prompt and what each datasource had to say to it. */
export interface AskedFindings {
  readonly asked: string;
  readonly answered: readonly Finding[];
  readonly unanswered: readonly Finding[];
}

export function byQuestion(findings: readonly Finding[]): readonly AskedFindings[] {
  const own = findings.filter(({ origin }) => origin === 'prompt');
  return [...new Set(own.map(({ question }) => question))].map((asked) => {
    const all = own.filter(({ question }) => question === asked);
    return { asked, answered: all.filter(isAnswered), unanswered: all.filter((one) => !isAnswered(one)) };
  });
}

/** Questions that no datasource could answer, and sentences that turned out to be no questions. */
export function unansweredIn({ reading, findings, comparison }: Material): {
  readonly questions: readonly AskedFindings[];
  readonly background: readonly string[];
} {
  const all = byQuestion(findings);
  const isPerhaps = (asked: string): boolean =>
    reading.questions.some(({ text, perhaps }) => perhaps && text === asked);
  // A prompt of nothing but such a sentence asked something after all.
  const hasOthers =
    all.some(({ answered }) => answered.length > 0) || findings.some(({ origin }) => origin === 'overview');
  const open = all.filter(({ answered }) => answered.length === 0);
  return {
    questions: open.filter(
      ({ asked }) => !(hasOthers && isPerhaps(asked)) && !(comparison !== '' && /^compare\b/i.test(asked)),
    ),
    background: hasOthers ? open.map(({ asked }) => asked).filter(isPerhaps) : [],
  };
}

/**
 * Figures of columns that the table has, by groups, and nothing that follows from them: from such a plan another can be made, by more
 * conditions or other groups, that speaks of the same figures.
 */
export function isPlain(plan: AnalysisPlan | null | undefined): plan is AggregatePlan {
  if (plan?.kind !== 'aggregate' || plan.summary !== undefined) return false;
  const isLess = [plan.derived, plan.computed, plan.each].some((parts) => parts !== undefined && parts.length > 0);
  if (isLess || plan.measures.some(({ filters }) => filters !== undefined && filters.length > 0)) return false;
  // Those look at the other rows, so that one more condition beside them changes what they let through.
  return plan.filters.every(({ kind }) => kind !== 'against' && kind !== 'outlier');
}
