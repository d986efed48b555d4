import { Injectable } from '@nestjs/common';
import type { AnalysisPlan } from '../../../ports/analysis-plan.js';
import { PIPELINES, type QueryLanguage } from '../../../ports/query-language.js';
import {
  type MetadataQuery,
  type MetadataValues,
  type PlotQuery,
  type PlotSeries,
  RowReader,
} from '../../../ports/row-reader.js';
import type { QueryLimits, QueryResult, TableProfile, TableRef } from '../../../ports/table.js';
import { FairTurns } from '../../../shared/fair-turns.js';
import { allowedPipeline } from './gate.js';
import type { MongoTables } from './mongo-tables.js';
import { analysisOf, namesOf, rowsIn } from './reader-analysis.js';
import { pipelineError } from './reader-errors.js';
import { metadataOf } from './reader-metadata.js';
import { plotOf } from './reader-plot.js';
import { profileOf } from './reader-profile.js';
import { TakenRows } from './reader-rows.js';
import { readTable } from './reader-run.js';

/** Written pipelines that this instance has the server work on; others wait, so that plots don't. */
const TURNS = { atOnce: 4, mostWaiting: 64 };
/** A plot of a whole large table reads all of its rows, which takes longer here than in a file made for it. */
const PLOT_MS = 30_000;
const METADATA_MS = 10_000;
const PROFILE_MS = 120_000;

/** Answers from the rows in MongoDB: our own pipelines and, past a gate, those that somebody else wrote. */
@Injectable()
export class MongoRowReader extends RowReader {
  readonly language: QueryLanguage = PIPELINES;
  private readonly turns = new FairTurns(TURNS);

  constructor(private readonly tables: Pick<MongoTables, 'open'>) {
    super();
  }

  override async plot(table: TableRef, query: PlotQuery): Promise<PlotSeries> {
    return readTable(await this.tables.open(table), PLOT_MS, (reads) => plotOf(reads, query));
  }

  override async profile(table: TableRef): Promise<TableProfile> {
    return readTable(await this.tables.open(table), PROFILE_MS, profileOf);
  }

  override async distinctMetadata(table: TableRef, query: MetadataQuery): Promise<MetadataValues> {
    return readTable(await this.tables.open(table), METADATA_MS, (reads) => metadataOf(reads, query));
  }

  override async analyze(table: TableRef, plan: AnalysisPlan, limits: QueryLimits): Promise<QueryResult> {
    const opened = await this.tables.open(table);
    return readTable(opened, limits.timeoutMs, (reads) => analysisOf(reads, plan, { table, limits }));
  }

  override async query(table: TableRef, statement: string, limits: QueryLimits): Promise<QueryResult> {
    const opened = await this.tables.open(table);
    const { stages, columns } = allowedPipeline(statement, opened.columns);
    using _turn = await this.turns.take(table.companyId, limits.timeoutMs);
    try {
      return await readTable(opened, limits.timeoutMs, async (reads) => {
        const rowsScanned = await rowsIn(reads, table);
        const taken = new TakenRows(limits.maxRows);
        await reads.each([...stages, { $limit: limits.maxRows + 1 }], (bytes) => taken.take(bytes));
        return { ...taken.result(columns), rowsScanned, dbquery: shownAs(statement) };
      });
    } catch (error) {
      throw pipelineError(error, namesOf(opened));
    }
  }
}

/** As it is written in the shell, which is how it may be written here too. */
function shownAs(statement: string): string {
  const text = statement.trim();
  return text.startsWith('db.') ? text : `db.data.aggregate(${text})`;
}
