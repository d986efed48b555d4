import { conditionsOf, figureConditionsOf } from '../plan/wording.js';
import { timeRangeWithin } from '../plan/instants.js';
import { namedJoins } from '../plan/joined-profile.js';
import type { AnswerKind, AnswerSource, AssistantAnswer, Evidence, Verification } from '../ports/assistant-answer.js';
import { dataOf, EMPTY_ANSWER } from './answer-step.js';
import type { Question } from './question.js';
import type { LoggedQuery, QueryLog, Toolbox } from './toolbox.js';

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
    readonly verified: Verification | null;
  },
): AssistantAnswer {
  const { briefing } = question;
  const { queries, chart } = work;
  const { last } = queries;
  const kind = told.verdict ?? 'answer';
  return {
    response: told.response,
    ...figuresOf(last),
    visualization: chart?.filename ?? '',
    chart: chart?.specification ?? null,
    chartKind: chart?.request.kind ?? null,
    chartRequest: chart?.request ?? null,
    sources: usedSources(briefing.passages, told, kind === 'answer' && last === null),
    kind,
    evidence: { ...evidenceOf(queries), unverified: told.unverified },
    model: told.model,
    ...(told.verified === null ? {} : { verified: told.verified }),
    error: null,
  };
}

function figuresOf(query: LoggedQuery | null): Pick<AssistantAnswer, 'query' | 'dbquery' | 'data' | 'datasourceId'> {
  if (query === null) return { query: '', dbquery: '', data: null };
  const { purpose, result, table } = query;
  return { query: purpose, dbquery: result.dbquery, data: dataOf(result), datasourceId: table.datasourceId };
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

/** What the figures of an answer rest on: its last query, and the time that the plan, or else the table, spans. */
function evidenceOf({ last, queries }: QueryLog): Evidence {
  if (last === null) return EMPTY_ANSWER.evidence;
  const { plan, result, briefing } = last;
  return {
    rowsScanned: result.rowsScanned,
    rowsReturned: result.rows.length,
    timeRange: timeRangeWithin(plan?.filters ?? [], briefing.profile),
    filters: plan === null ? [] : [...conditionsOf(plan), ...figureConditionsOf(plan)],
    queries: queries.length,
    ...(result.joins === undefined ? {} : { joins: namedJoins(result.joins, briefing) }),
  };
}
