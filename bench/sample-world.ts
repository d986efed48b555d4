import { join, resolve } from 'node:path';
import { VegaChartRenderer } from '../src/adapters/charts/vega-chart-renderer.js';
import { LocalObjectStore } from '../src/adapters/storage/local-object-store.js';
import { RandomIdSource } from '../src/adapters/system/random-id-source.js';
import { SystemClock } from '../src/adapters/system/system-clock.js';
import { Answering } from '../src/answering/answering.js';
import { ChartImages } from '../src/answering/chart-images.js';
import { completeConfig, loadColumns } from '../src/features/datasource/datasource-config.js';
import { unite } from '../src/features/datasource/united-table.js';
import { describedFile } from '../src/features/datasource/upload/described-file.js';
import type { ChatModel, TableBriefing } from '../src/ports/chat-model.js';
import type { LoadSource } from '../src/ports/row-engine.js';
import type { TableRef } from '../src/ports/table.js';
import { describeCsv } from '../src/rows/inspect/inspect-csv.js';
import { asId } from '../src/shared/ids.js';
import { openStore, type BenchStore } from './device-rows.js';

const NAME = 'weather.csv';
const PATH = resolve('samples', NAME);
const TABLE: TableRef = {
  companyId: asId('a'.repeat(24)),
  datasourceId: asId('1'.padStart(24, '0')),
  generation: 1,
  visibleFrom: null,
};

/** The parts of the service that answer questions, on its embedded adapters and in a folder of their own, with the sample imported. */
export class SampleWorld {
  readonly table = TABLE;

  private constructor(
    private readonly store: BenchStore,
    private readonly charts: VegaChartRenderer,
    private readonly images: ChartImages,
    readonly briefing: TableBriefing,
  ) {}

  static async open(): Promise<SampleWorld> {
    const store = await openStore();
    const objects = new LocalObjectStore(join(store.folder, 'objects'));
    await objects.open();
    const watch = { onProgress: () => undefined, signal: new AbortController().signal };
    await store.engine.load(TABLE, await sampleSource(), watch);
    const briefing = { name: 'Weather', context: '', profile: await store.reader.profile(TABLE) };
    const charts = new VegaChartRenderer();
    const images = new ChartImages(objects, new RandomIdSource(new SystemClock()), charts);
    return new SampleWorld(store, charts, images, briefing);
  }

  answeringWith(model: ChatModel): Answering {
    return new Answering(model, this.store.reader, this.images);
  }

  async close(): Promise<void> {
    this.charts.stop();
    await this.store[Symbol.asyncDispose]();
  }
}

/** With what the service finds out by itself; only the time and the metadata column are chosen. */
async function sampleSource(): Promise<LoadSource> {
  const found = await describeCsv(PATH);
  const united = unite([describedFile(NAME, found.size, found)]);
  const wanted = {
    ...{ isTimeseries: true, timeField: 'date', metaField: 'location' },
    ...{ timeFormat: '', values: [], granularity: '' as const, lifespan: 0, context: '' },
  };
  const config = completeConfig(wanted, united);
  return {
    files: [{ path: PATH, name: NAME, dialect: found.dialect, columns: found.columns }],
    columns: loadColumns(config, united.columns),
    timeField: config.timeField,
    timeFormat: config.timeFormat,
    importedAt: new Date('2025-03-01T00:00:00Z'),
    metaField: config.metaField,
    values: config.values,
  };
}
