import { conditionsOf, figureConditionsOf } from '../plan/wording.js';
import { timeRangeWithin } from '../plan/instants.js';
import { namedJoins } from '../plan/joined-profile.js';
import type { AnswerKind, AnswerSource, AssistantAnswer, Evidence, Verification } from '../ports/assistant-answer.js';
import type { TableProfile } from '../ports/table.js';
import { dataOf } from './answer-step.js';
import type { KeptChart } from './chart-images.js';
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
  const { last } = work.queries;
  const kind = told.verdict ?? 'answer';
  return {
    response: told.response,
    ...figuresOf(last),
    ...pictureOf(work.chart),
    sources: usedSources(briefing.passages, told, kind === 'answer' && last === null),
    kind,
    evidence: {
      ...evidenceOf(work.queries, last?.briefing?.profile ?? briefing.table?.profile ?? null),
      unverified: told.unverified,
    },
    model: told.model,
    ...(told.verified === null ? {} : { verified: told.verified }),
    error: null,
  };
}

function figuresOf(query: LoggedQuery | null): Pick<AssistantAnswer, 'query' | 'dbquery' | 'data' | 'datasourceId'> {
  if (query === null) return { query: '', dbquery: '', data: null };
  const { purpose, result, table } = query;
  const about = table === undefined ? {} : { datasourceId: table.datasourceId };
  return { query: purpose, dbquery: result.dbquery, data: dataOf(result), ...about };
}

function pictureOf(
  chart: KeptChart | null,
): Pick<AssistantAnswer, 'visualization' | 'chart' | 'chartKind' | 'chartRequest'> {
  return chart === null
    ? { visualization: '', chart: null, chartKind: null, chartRequest: null }
    : {
        visualization: chart.filename,
        chart: chart.specification,
        chartKind: chart.kind,
        chartRequest: chart.request,
      };
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
export function evidenceOf(queries: QueryLog, profile: TableProfile | null): Evidence {
  const { last } = queries;
  if (last === null) return { rowsScanned: 0, rowsReturned: 0, timeRange: null, filters: [], queries: 0 };
  return {
    rowsScanned: last.result.rowsScanned,
    rowsReturned: last.result.rows.length,
    timeRange: profile === null ? null : timeRangeWithin(last.plan?.filters ?? [], profile),
    filters: last.plan === null ? [] : [...conditionsOf(last.plan), ...figureConditionsOf(last.plan)],
    queries: queries.queries.length,
    ...(last.result.joins === undefined || last.briefing === undefined
      ? {}
      : { joins: namedJoins(last.result.joins, last.briefing) }),
  };
}
