import type { AnalysisPlan } from '../../../ports/analysis-plan.js';
import type { QueryLimits, QueryResult, TableRef } from '../../../ports/table.js';
import { AppError } from '../../../shared/app-error.js';
import { mongo } from 'mongoose';
import type { MongoRow } from './mongo-table.js';
import { type CompiledPipeline, compilePipeline } from './pipeline-compiler.js';
import { numberOf } from './reader-cells.js';
import { isOutOfRange, pipelineError } from './reader-errors.js';
import { rankedOf } from './reader-ranks.js';
import type { TableReads } from './reader-run.js';

/** What a plan is asked of. */
export interface Asked {
  readonly table: TableRef;
  readonly limits: QueryLimits;
}

/** Answers a plan by the pipeline that it is compiled to. */
export async function analysisOf(
  reads: TableReads,
  plan: AnalysisPlan,
  { table, limits }: Asked,
): Promise<QueryResult> {
  const { collection, visible, columns } = reads.table;
  const source = { collection: collection.collectionName, visible };
  const compiled = compilePipeline(plan, columns, { maxRows: limits.maxRows, source });
  const { dbquery, maxRows, finish } = compiled;
  const documents = await documentsOf(reads, compiled);
  const { columns: results, rows } = finish(documents.slice(0, maxRows));
  const kept = rows.slice(0, limits.maxRows);
  const truncated = documents.length > maxRows || kept.length < rows.length;
  return { columns: results, rows: kept, truncated, rowsScanned: await rowsIn(reads, table), dbquery };
}

/** Up to here the server ranks rows itself. */
const RANKED_BY_SERVER = 50_000;

async function documentsOf(
  reads: TableReads,
  { stages, maxRows, ranked }: CompiledPipeline,
): Promise<readonly MongoRow[]> {
  const documents: MongoRow[] = [];
  try {
    if (ranked !== null && reads.table.rows > RANKED_BY_SERVER) {
      const { correlation, pairs } = await rankedOf(reads, ranked.stages);
      return [ranked.documentOf(correlation, pairs)];
    }
    await reads.each(stages, (bytes) => {
      documents.push(mongo.BSON.deserialize(bytes));
      // One more than is wanted tells that there are more.
      return documents.length <= maxRows;
    });
  } catch (error) {
    throw planError(error, reads);
  }
  return documents;
}

/** How many rows there are to be asked about. */
export async function rowsIn(reads: TableReads, { visibleFrom }: TableRef): Promise<number> {
  if (visibleFrom === null) return reads.table.rows;
  const { n } = await reads.one([{ $count: 'n' }]);
  return numberOf(n) ?? 0;
}

function planError(error: unknown, { table }: TableReads): unknown {
  if (isOutOfRange(error)) {
    return new AppError('invalid_input', 'the numbers are too large for this to be worked out', { cause: error });
  }
  return pipelineError(error, namesOf(table));
}

/** What no message may tell. */
export function namesOf({ collection }: TableReads['table']): readonly string[] {
  return [collection.namespace, collection.collectionName, collection.dbName];
}
