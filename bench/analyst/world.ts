import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { VegaChartRenderer } from '../../src/adapters/charts/vega-chart-renderer.js';
import { describeCsv } from '../../src/rows/inspect-csv.js';
import { LocalObjectStore } from '../../src/adapters/storage/local-object-store.js';
import { RandomIdSource } from '../../src/adapters/system/random-id-source.js';
import { SystemClock } from '../../src/adapters/system/system-clock.js';
import { Answering } from '../../src/answering/answering.js';
import { ChartImages } from '../../src/answering/chart-images.js';
import { completeConfig, loadColumns } from '../../src/features/datasource/datasource-config.js';
import { unite } from '../../src/features/datasource/united-table.js';
import { describedFile } from '../../src/features/datasource/upload/described-file.js';
import type { ChatModel, TableBriefing } from '../../src/ports/chat-model.js';
import type { LoadSource } from '../../src/ports/row-engine.js';
import type { TableRef } from '../../src/ports/table.js';
import { asId } from '../../src/shared/ids.js';
import { openStore, type BenchStore } from '../device-rows.js';
import { csvOf, type BenchTable } from './bench-table.js';
import { Random } from './random.js';
import { INVENTED_TABLES, WEATHER } from './tables.js';

/** An imported table, and the file that it came from. */
export interface ImportedTable {
  readonly table: Pick<BenchTable, 'name' | 'columns' | 'missing'>;
  readonly path: string;
  readonly ref: TableRef;
  readonly briefing: TableBriefing;
}

/** The service's parts that answer questions, on its embedded adapters and in a folder of their own. */
export class BenchWorld {
  private constructor(
    private readonly store: BenchStore,
    private readonly charts: VegaChartRenderer,
    private readonly images: ChartImages,
  ) {}

  static async open(): Promise<BenchWorld> {
    const store = await openStore();
    const objects = new LocalObjectStore(join(store.folder, 'objects'));
    await objects.open();
    const charts = new VegaChartRenderer();
    return new BenchWorld(store, charts, new ChartImages(objects, new RandomIdSource(new SystemClock()), charts));
  }

  answeringWith(model: ChatModel): Answering {
    return new Answering(model, this.store.reader, this.images);
  }

  /** Imports the tables with what the service finds out by itself; only the time and the metadata column are chosen. */
  async importAll(names: ReadonlySet<string>): Promise<ReadonlyMap<string, ImportedTable>> {
    const folder = join(this.store.folder, 'files');
    await mkdir(folder);
    const imported = new Map<string, ImportedTable>();
    for (const [index, table] of INVENTED_TABLES.entries()) {
      if (!names.has(table.name)) continue;
      const path = join(folder, `${String(index)}.csv`);
      await writeFile(path, csvOf(table, new Random(1000 + index)));
      imported.set(table.name, await this.imported(table, path, index));
    }
    if (names.has(WEATHER.name)) {
      imported.set(WEATHER.name, await this.imported(WEATHER, resolve('samples/weather.csv'), INVENTED_TABLES.length));
    }
    return imported;
  }

  async close(): Promise<void> {
    this.charts.stop();
    await this.store[Symbol.asyncDispose]();
  }

  private async imported(table: Omit<BenchTable, 'rows'>, path: string, index: number): Promise<ImportedTable> {
    const datasourceId = asId<TableRef['datasourceId']>((index + 1).toString(16).padStart(24, '0'));
    const ref: TableRef = { companyId: asId('a'.repeat(24)), datasourceId, generation: 1, visibleFrom: null };
    const source = await sourceOf(table, path);
    const watch = { onProgress: () => undefined, signal: new AbortController().signal };
    const { rejected } = await this.store.engine.load(ref, source, watch);
    if (rejected > 0) throw new Error(`${table.name}: ${String(rejected)} rows were rejected`);
    const profile = await this.store.reader.profile(ref);
    return { table, path, ref, briefing: { name: table.name, context: '', profile } };
  }
}

async function sourceOf(table: Omit<BenchTable, 'rows'>, path: string): Promise<LoadSource> {
  const found = await describeCsv(path);
  const united = unite([describedFile(`${table.name}.csv`, found.size, found)]);
  const wanted = {
    ...{ isTimeseries: table.timeField !== null, timeField: table.timeField ?? '', metaField: table.metaField },
    ...{ timeFormat: '', values: [], granularity: '' as const, lifespan: 0, context: '' },
  };
  const config = completeConfig(wanted, united);
  return {
    files: [{ path, name: `${table.name}.csv`, dialect: found.dialect, columns: found.columns }],
    columns: loadColumns(config, united.columns),
    timeField: config.timeField,
    timeFormat: config.isTimeseries ? config.timeFormat : null,
    importedAt: new Date('2025-03-01T00:00:00Z'),
    metaField: config.metaField,
    values: config.values,
  };
}
