import type { AnalysisPlan } from '../../../ports/analysis-plan.js';
import type { Cell, ResultColumn } from '../../../ports/table.js';
import { finishStatistic } from '../../../shared/statistics/finish.js';
import { MOST_SHAPIRO } from '../../../shared/statistics/raw.js';
import { PlanColumns } from '../../../plan/plan-columns.js';
import { namedColumns } from './gate-names.js';
import type { MongoColumn, MongoRow, Stage } from './mongo-table.js';
import { aggregatePipeline } from './pipeline-aggregate.js';
import { cellOf } from './pipeline-cells.js';
import { listingPipeline } from './pipeline-listing.js';
import type { Result } from './pipeline-results.js';
import { shownPipeline } from './pipeline-shown.js';
import { rankedPairs, statisticPipeline } from './pipeline-statistic.js';
import { type PipelineSource, type PipelineWriter, ShownWriter, StoredWriter } from './pipeline-writers.js';

export type { PipelineSource } from './pipeline-writers.js';

export interface CompiledPipeline {
  /** Follow the stages that give the visible rows; ask for one row more than the caller wants, so that it sees a cut. */
  readonly stages: readonly Stage[];
  /** The same pipeline as a person writes it over the collection `data`, with the names that its columns have there. */
  readonly dbquery: string;
  /** Most rows that `stages` is to be asked for. */
  readonly maxRows: number;
  /** For a rank correlation: the stages that give the values of each row as `x` and `y`, and what `stages` would make of them. */
  readonly ranked: RankedWay | null;
  /** Makes the answer of the documents that `stages` gives, however whole numbers are read. */
  readonly finish: (documents: readonly MongoRow[]) => PipelineAnswer;
}

export interface PipelineAnswer {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Another way to the answer where there are too many rows for the server to rank. */
export interface RankedWay {
  readonly stages: readonly Stage[];
  readonly documentOf: (correlation: number | null, pairs: number) => MongoRow;
}

export interface PipelineOptions {
  readonly maxRows: number;
  /** The same rows, for figures over all of them beside the single ones. */
  readonly source: PipelineSource;
}

/**
 * Compiles a plan to an aggregation pipeline. Fields are those of the table alone, never names of the plan, and values stand where
 * nothing in them can be an operator.
 *
 * @throws AppError `invalid_input` when the plan does not fit the table.
 */
export function compilePipeline(
  plan: AnalysisPlan,
  columns: readonly MongoColumn[],
  { maxRows, source }: PipelineOptions,
): CompiledPipeline {
  const table = PlanColumns.of(columns.map(({ name, type, field }) => ({ name, type, physical: field })));
  const scales = new Map(columns.flatMap(({ field, scale }) => (scale === undefined ? [] : [[field, scale] as const])));
  const stored = new StoredWriter(source, table, scales);
  const names = new Map(namedColumns(columns).map(({ field, visible }) => [field, visible] as const));
  const plain = new ShownWriter(names, labelsOf(plan), scales);
  if (plan.kind === 'statistic') {
    const { stages, fields } = statisticPipeline(plan, table, stored);
    const dbquery = shownPipeline(statisticPipeline(plan, table, plain).stages);
    const finish = (documents: readonly MongoRow[]): PipelineAnswer =>
      finishStatistic(
        plan,
        documents.map((document) => fields.map((field) => cellOf(document[field]))),
      );
    const pairs = rankedPairs(plan, table, new StoredWriter(source, table, scales));
    const documentOf: RankedWay['documentOf'] = (...found) =>
      Object.fromEntries(fields.map((field, index) => [field, found[index] ?? null]));
    return { stages, dbquery, maxRows: MOST_SHAPIRO, finish, ranked: pairs && { stages: pairs, documentOf } };
  }
  const result = (writer: PipelineWriter, most: number | null): Result =>
    plan.kind === 'aggregate'
      ? aggregatePipeline(plan, table, writer, most)
      : listingPipeline(plan, table, writer, most);
  const { stages, fields, columns: results, empty } = result(stored, maxRows + 1);
  return {
    stages,
    dbquery: shownPipeline(result(plain, null).stages),
    maxRows,
    ranked: null,
    finish: (documents) => {
      const rows = documents.map((document) => fields.map((field) => cellOf(document[field])));
      return { columns: results, rows: rows.length === 0 && empty !== null ? [empty] : rows };
    },
  };
}

/** All names that a pipeline gives to what it finds. */
function labelsOf(plan: AnalysisPlan): readonly string[] {
  const derived = (plan.derived ?? []).map(({ name }) => name);
  if (plan.kind !== 'aggregate') return derived;
  const outputs = [...plan.measures, ...plan.dimensions, ...(plan.computed ?? [])].map(({ label }) => label);
  return [...derived, ...outputs, ...(plan.summary ? [plan.summary.label] : [])];
}
