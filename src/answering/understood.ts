import {
  computedWords,
  few,
  figureConditionsOf,
  filterWords,
  isSaid,
  joinWords,
  labelOfDimension,
  measureWords,
  statisticWords,
  summaryWords,
  withinWords,
} from '../plan/wording.js';
import { joined, placeWords } from '../shared/number-words.js';
import type { AggregatePlan, AnalysisPlan, RowsPlan } from '../ports/analysis-plan.js';
import type { AssistantAnswer, Understood, UnderstoodPart } from '../ports/assistant-answer.js';
import type { ChartKind } from '../ports/chart-renderer.js';

/** The plan that an answer rests on, with its parts in words; `null` where it rests on none. */
export function understoodOf(plan: AnalysisPlan | null, { chartKind }: AssistantAnswer): Understood | null {
  if (plan === null) return null;
  const chart = chartKind ?? null;
  const joined = joinWords(plan).map((words) => ({ kind: 'join', words, at: 'join' }) as const);
  const drawn = chart === null ? [] : [{ kind: 'chart', words: CHARTS[chart], at: 'chart' } as const];
  return { plan, chart, parts: [...joined, ...partsOf(plan), ...drawn] };
}

function partsOf(plan: AnalysisPlan): readonly UnderstoodPart[] {
  switch (plan.kind) {
    case 'aggregate':
      return [...figuresOf(plan), ...groupsOf(plan), ...conditionsOf(plan), ...havingOf(plan), ...orderOf(plan)];
    case 'rows':
      return [figure('columns', rowsWords(plan)), ...conditionsOf(plan), ...orderOf(plan)];
    case 'statistic': {
      const groups = plan.by === null ? [] : [{ kind: 'group', words: `by ${plan.by}`, at: 'by' } as const];
      return [figure('columns', statisticWords({ ...plan, by: null })), ...groups, ...conditionsOf(plan)];
    }
  }
}

function figuresOf(plan: AggregatePlan): readonly UnderstoodPart[] {
  const { measures, computed = [], dimensions, summary } = plan;
  const groups = joined(dimensions.map(labelOfDimension));
  if (summary?.aggregate === 'count') return [figure('summary', `number of different ${groups} values`)];
  if (measures.length === 0) return [figure('measures', 'different values')];
  return [
    ...measures.map((one, place) => figure(`measures.${place}`, measureWords(one))),
    ...computed.map((one, place) => figure(`computed.${place}`, computedWords(one, plan))),
    ...(summary === undefined ? [] : [figure('summary', summaryWords(summary, plan))]),
  ];
}

function figure(at: string, words: string): UnderstoodPart {
  return { kind: 'figure', words, at };
}

function rowsWords({ columns, distinct }: RowsPlan): string {
  return `${distinct === true ? 'different ' : ''}${columns.length === 0 ? 'rows' : few(columns)}`;
}

function groupsOf({ dimensions }: AggregatePlan): readonly UnderstoodPart[] {
  return dimensions.map((one, place) => ({
    kind: 'group',
    words: `by ${labelOfDimension(one)}`,
    at: `dimensions.${place}`,
  }));
}

function conditionsOf(plan: AnalysisPlan): readonly UnderstoodPart[] {
  return plan.filters.flatMap((filter, place) =>
    isSaid(filter, plan)
      ? [
          {
            kind: filter.kind === 'time' ? 'period' : 'condition',
            words: filterWords(filter, plan.derived),
            at: `filters.${place}`,
          },
        ]
      : [],
  );
}

function havingOf(plan: AggregatePlan): readonly UnderstoodPart[] {
  return figureConditionsOf(plan).map((words, place) => ({ kind: 'condition', words, at: `having.${place}` }));
}

/** The order and how many are left by it are one part. That times run forwards goes without saying. */
function orderOf(plan: AggregatePlan | RowsPlan): readonly UnderstoodPart[] {
  const { order, limit, skip, each } = plan;
  const [first] = order;
  const within = withinWords(each);
  const count = limit === null || limit === 1 ? '' : `${limit} `;
  if (first === undefined) {
    return limit === null ? [] : [{ kind: 'order', words: `the first ${count}${within}`.trim(), at: 'limit' }];
  }
  const isTime =
    plan.kind === 'aggregate' && plan.dimensions.some((one) => one.label === first.by && one.kind !== 'column');
  if (isTime && limit === null && first.direction === 'asc') return [];
  const [most, least] = isTime ? ['latest', 'earliest'] : ['highest', 'lowest'];
  const end = `${placeWords(skip)}${first.direction === 'desc' ? most : least}`;
  const words = limit === null ? `${first.by}, ${end} first` : `the ${count}${end} by ${first.by}${within}`;
  return [{ kind: 'order', words, at: 'order' }];
}

const CHARTS: Readonly<Record<ChartKind, string>> = {
  line: 'line chart',
  area: 'area chart',
  bar: 'bar chart',
  stacked_bar: 'stacked bars',
  grouped_bar: 'grouped bars',
  histogram: 'histogram',
  scatter: 'scatter plot',
  heatmap: 'heatmap',
  pie: 'pie chart',
};
