import type { AnswerKind, AnswerSource, AssistantAnswer } from '../ports/assistant-answer.js';
import { dataOf } from './answer-data.js';
import { evidenceOf } from './evidence.js';
import type { LoggedQuery } from './query-log.js';
import type { Question } from './question.js';
import type { KeptChart } from './chart-images.js';
import type { Toolbox } from './toolbox.js';

/** Sources of an answer that names none. */
const MAX_UNNAMED = 3;
/** So many of an answer's telling words must stand in a passage that it may rest on. */
const ENOUGH_SHARED = 0.4;
const TELLING_WORD = /\p{L}{4,}|\d+(?:[.,]\d+)*/gu;

/** The whole answer, when its words are written. */
export function finishedAnswer(
  question: Question,
  work: Pick<Toolbox, 'queries' | 'chart'>,
  told: {
    readonly response: string;
    /** The passages that it names, counted from 1, in the order of their numbers in the text. */
    readonly cited: readonly number[];
    /** Figures that it names and that stand in nothing it rests on. */
    readonly unverified: readonly string[];
    readonly verdict: AnswerKind | null;
    readonly model: string;
  },
): AssistantAnswer {
  const { briefing } = question;
  const { last } = work.queries;
  const kind = told.verdict ?? 'answer';
  return {
    response: told.response,
    ...figuresOf(last),
    ...pictureOf(work.chart),
    sources: usedSources(briefing.passages, told, kind === 'answer' && last === null),
    kind,
    evidence: {
      ...evidenceOf(work.queries, briefing.table === null ? null : briefing.table.profile),
      unverified: told.unverified,
    },
    model: told.model,
    error: null,
  };
}

function figuresOf(query: LoggedQuery | null): Pick<AssistantAnswer, 'query' | 'dbquery' | 'data'> {
  if (query === null) return { query: '', dbquery: '', data: null };
  return { query: query.purpose, dbquery: query.result.dbquery, data: dataOf(query.result) };
}

function pictureOf(chart: KeptChart | null): Pick<AssistantAnswer, 'visualization' | 'chart' | 'chartKind'> {
  return chart === null
    ? { visualization: '', chart: null, chartKind: null }
    : { visualization: chart.filename, chart: chart.specification, chartKind: chart.kind };
}

/** The passages that the answer names; where it names none but can rest on nothing else, those that say what it says. */
function usedSources(
  passages: readonly AnswerSource[],
  { response, cited }: { readonly response: string; readonly cited: readonly number[] },
  restsOnPassages: boolean,
): readonly AnswerSource[] {
  if (cited.length > 0) return cited.flatMap((number) => passages[number - 1] ?? []);
  return restsOnPassages ? echoed(passages, response) : [];
}

function echoed(passages: readonly AnswerSource[], response: string): readonly AnswerSource[] {
  const told = tellingWords(response);
  if (told.size === 0) return [];
  return passages
    .map((source) => ({ source, shared: sharedWords(source.quote, told) / told.size }))
    .filter(({ shared }) => shared >= ENOUGH_SHARED)
    .sort((a, b) => b.shared - a.shared)
    .slice(0, MAX_UNNAMED)
    .map(({ source }) => source);
}

function tellingWords(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(TELLING_WORD) ?? []);
}

function sharedWords(text: string, told: ReadonlySet<string>): number {
  const words = tellingWords(text);
  return [...told].filter((word) => words.has(word)).length;
}
