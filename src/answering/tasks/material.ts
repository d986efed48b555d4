import type { AnswerSource } from '../../ports/assistant-answer.js';
import type { FoundFigure } from './figures.js';
import { isAnswered, type AskedQuery, type Finding } from './finding.js';
import type { PromptReading } from './prompt-reader.js';
import type { TaskAssignment, TaskSubject } from './task-assignment.js';

/** All that a run found, before it is written up. */
export interface Material {
  readonly assignment: TaskAssignment;
  readonly reading: PromptReading;
  /** In the order in which they were found. */
  readonly findings: readonly Finding[];
  readonly figures: readonly FoundFigure[];
  /** Markdown; empty when nothing can be compared. */
  readonly comparison: string;
  /** What came of working figures out a second time, sentences of Markdown. */
  readonly checks: readonly string[];
  readonly quality: readonly SubjectQuality[];
  readonly queries: readonly AskedQuery[];
  readonly sources: readonly AnswerSource[];
  /** What went wrong and what was left out, sentences of Markdown. */
  readonly notes: readonly string[];
  readonly model: string;
  readonly startedAt: Date;
}

export interface SubjectQuality {
  readonly subject: TaskSubject;
  readonly sentences: readonly string[];
}

/** A question of the prompt and what each datasource had to say to it. */
export interface AskedFindings {
  readonly asked: string;
  readonly answered: readonly Finding[];
  readonly unanswered: readonly Finding[];
}

/** The questions of the prompt, in its order. */
export function byQuestion(findings: readonly Finding[]): readonly AskedFindings[] {
  const own = findings.filter(({ origin }) => origin === 'prompt');
  return [...new Set(own.map(({ question }) => question))].map((asked) => {
    const all = own.filter(({ question }) => question === asked);
    return { asked, answered: all.filter(isAnswered), unanswered: all.filter((one) => !isAnswered(one)) };
  });
}

/** Sentences of the prompt that turned out to be no questions. */
export function backgroundOf({ reading, findings }: Pick<Material, 'reading' | 'findings'>): readonly string[] {
  return byQuestion(findings)
    .filter(({ asked, answered }) => answered.length === 0 && isPerhaps(reading, asked))
    .map(({ asked }) => asked);
}

/** Questions that no datasource could answer. */
export function unansweredIn({
  reading,
  findings,
  comparison,
}: Pick<Material, 'reading' | 'findings' | 'comparison'>): readonly AskedFindings[] {
  const all = byQuestion(findings);
  const others =
    all.filter(({ answered }) => answered.length > 0).length +
    findings.filter(({ origin }) => origin === 'overview').length;
  return all.filter(({ asked, answered }) => {
    // A prompt of nothing but such a sentence asked something after all.
    const isBackground = others > 0 && isPerhaps(reading, asked);
    return answered.length === 0 && !isBackground && !(comparison !== '' && /^compare\b/i.test(asked));
  });
}

function isPerhaps({ questions }: PromptReading, asked: string): boolean {
  return questions.some(({ text, perhaps }) => perhaps && text === asked);
}
