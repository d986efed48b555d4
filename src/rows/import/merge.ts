import type { DuckDBConnection } from '@duckdb/node-api';
import type { LoadReport } from '../../ports/row-engine.js';
import { createSorted, partsOf } from '../base-file.js';
import { countOf, valuesOf } from '../cells.js';
import type { KeptOrder } from '../jobs.js';
import { LATER_ROWS } from '../row-files.js';
import { physicalList, type TableShape } from '../table-shape.js';
import { type ImportSql, repeatedIn, type TargetTable } from './import-sql.js';
import { inOneThread } from './rejects.js';
import type { PrescannedFile } from './prescan.js';

/** From here on a number with a fraction does not hold every whole number. */
const EXACT = 2 ** 53;

/** Rows of files that come to earlier ones, which are attached as `kept`. */
export class Merge {
  private readonly sources: readonly string[];
  private readonly keys: readonly string[];

  constructor(
    private readonly connection: DuckDBConnection,
    private readonly kept: KeptOrder,
    { columns }: TargetTable,
  ) {
    this.keys = columns.flatMap(({ isKey, physical }) => (isKey === true ? physical : []));
    this.sources = ['kept.data', ...(kept.laterRows === 0 ? [] : [`read_parquet('${LATER_ROWS}')`])];
  }

  /** Columns that keep their type: all but those of whole numbers whose values other numbers hold exactly. */
  async fixed(target: Pick<TableShape, 'columns' | 'time'>): Promise<ReadonlySet<string>> {
    const columns = target.columns.filter(({ type }) => type === 'integer');
    const large = columns.map(({ physical }) => `max(${physical}) >= ${EXACT} OR min(${physical}) <= -${EXACT}`);
    const asked = `SELECT ${['true', ...large].join(', ')} FROM (${this.earlier(target)})`;
    const [[, ...isLarge] = []] = await valuesOf(this.connection, asked);
    const exact = new Set(columns.filter((_, index) => isLarge[index] !== true).map(({ physical }) => physical));
    return new Set(target.columns.flatMap(({ physical }) => (exact.has(physical) ? [] : physical)));
  }

  /** Reads the files, of rows with the same keys the last; says how many rows that are. */
  async read(files: readonly PrescannedFile[], sql: ImportSql): Promise<number> {
    const rows = this.keys.length === 0 ? sql.rows(files) : sql.placedRows(files);
    const create = (): Promise<unknown> => this.connection.run(`CREATE OR REPLACE TEMP TABLE added AS ${rows}`);
    await (this.keys.length === 0 ? create() : inOneThread(this.connection, create));
    if (this.keys.length > 0) {
      await this.connection.run(`CREATE OR REPLACE TEMP TABLE repeated AS SELECT place FROM added
        ANTI JOIN (SELECT max(place) AS place FROM added GROUP BY ${this.keys.join(', ')}) USING (place)`);
      await this.connection.run('DELETE FROM added USING repeated WHERE added.place = repeated.place');
    }
    return countOf(this.connection, 'added');
  }

  /** Selects those records of a file that a later one takes the place of; undefined: there are no keys. */
  repeatedIn(file: number): string | undefined {
    return this.keys.length === 0 ? undefined : repeatedIn(file);
  }

  /** Makes one table of the rows that were read and the earlier ones. */
  async write(target: TargetTable): Promise<Pick<LoadReport, 'rows' | 'added' | 'replaced'>> {
    const columns = physicalList(target.columns);
    const earlier = this.earlier(target);
    const using = `USING (${this.keys.join(', ')})`;
    const stays = this.keys.length === 0 ? earlier : `SELECT ${columns} FROM (${earlier}) ANTI JOIN added ${using}`;
    await this.connection.run(createSorted(`SELECT ${columns} FROM added UNION ALL ${stays}`, target));
    const [fresh, before, rows] = [
      await countOf(this.connection, 'added'),
      await countOf(this.connection, `(${earlier})`),
      await countOf(this.connection, 'data'),
    ];
    const replaced = fresh + before - rows;
    const added = replaced === 0 ? fresh : await countOf(this.connection, `added ANTI JOIN (${earlier}) ${using}`);
    await this.connection.run('DROP TABLE temp.added');
    return { rows, added, replaced };
  }

  private earlier(target: Pick<TableShape, 'columns' | 'time'>): string {
    return partsOf(this.sources, target, this.kept.visibleFrom).join(' UNION ALL ');
  }
}
