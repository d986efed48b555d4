import type { AnswerKind, AnswerSource, AssistantAnswer } from '../ports/assistant-answer.js';
import { evidenceOf } from './evidence.js';
import type { LoggedQuery } from './query-log.js';
import type { Question } from './question.js';
import type { DrawnChart, Toolbox } from './toolbox.js';

const MAX_DATA_ROWS = 100;
/** How a model names a passage it uses: `[2]`. */
const CITATION = /\[(\d{1,3})\]/g;

/** The whole answer, when its words are written. */
export function finishedAnswer(
  question: Question,
  work: Pick<Toolbox, 'queries' | 'chart'>,
  told: { readonly response: string; readonly verdict: AnswerKind | null; readonly model: string },
): AssistantAnswer {
  const { briefing } = question;
  const { last } = work.queries;
  const kind = told.verdict ?? 'answer';
  return {
    response: told.response,
    ...figuresOf(last),
    ...pictureOf(work.chart),
    sources: usedSources(briefing.passages, told.response, kind === 'answer' && last === null),
    kind,
    evidence: evidenceOf(work.queries, briefing.table === null ? null : briefing.table.profile),
    model: told.model,
    error: null,
  };
}

function figuresOf(query: LoggedQuery | null): Pick<AssistantAnswer, 'query' | 'dbquery' | 'data'> {
  if (query === null) return { query: '', dbquery: '', data: null };
  const { columns, rows, dbquery } = query.result;
  const data = { columns: columns.map(({ name }) => name), rows: rows.slice(0, MAX_DATA_ROWS) };
  return { query: query.purpose, dbquery, data };
}

function pictureOf(chart: DrawnChart | null): Pick<AssistantAnswer, 'visualization' | 'chart'> {
  return chart === null
    ? { visualization: '', chart: null }
    : { visualization: chart.filename, chart: chart.specification };
}

/** The passages that the answer names; all of them where it names none but can rest on nothing else. */
function usedSources(
  passages: readonly AnswerSource[],
  response: string,
  restsOnPassages: boolean,
): readonly AnswerSource[] {
  const named = new Set([...response.matchAll(CITATION)].map(([, number]) => Number(number)));
  const used = passages.filter((_, index) => named.has(index + 1));
  return used.length === 0 && restsOnPassages ? passages : used;
}
