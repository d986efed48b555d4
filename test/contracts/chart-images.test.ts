import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LocalObjectStore } from '../../src/adapters/storage/local-object-store.js';
import { RandomIdSource } from '../../src/adapters/system/random-id-source.js';
import { ChartImages } from '../../src/answering/chart-images.js';
import { ChartRenderer } from '../../src/ports/chart-renderer.js';
import type { ObjectArea } from '../../src/ports/object-store.js';
import { AppError } from '../../src/shared/app-error.js';
import { asId, type CompanyId } from '../../src/shared/ids.js';
import type { JsonObject } from '../../src/shared/json.js';
import { ManualClock } from '../support/manual-clock.js';
import { aFolder } from './row-engine.fixture.js';

const ACME = asId<CompanyId>('a'.repeat(24));
const GLOBEX = asId<CompanyId>('b'.repeat(24));
const REQUEST = { kind: 'bar', x: 'x', y: 'y', series: null, title: 'x', xTitle: null, yTitle: null } as const;
const RESULT = { columns: [], rows: [], truncated: false, dbquery: '', rowsScanned: 0 };

class CountedCharts extends ChartRenderer {
  drawn = 0;
  failing = false;

  override specify(): JsonObject {
    return { mark: 'bar' };
  }

  override draw(specification: JsonObject): Promise<Buffer> {
    this.drawn += 1;
    if (this.failing) return Promise.reject(new AppError('unavailable', 'the chart could not be drawn'));
    return Promise.resolve(Buffer.from(`a picture of ${JSON.stringify(specification)}`));
  }
}

describe('the picture of a chart', () => {
  let folder: Awaited<ReturnType<typeof aFolder>>;
  let objects: LocalObjectStore;
  let charts: CountedCharts;
  let images: ChartImages;

  beforeEach(async () => {
    folder = await aFolder();
    objects = new LocalObjectStore(folder.path);
    await objects.open();
    charts = new CountedCharts();
    images = new ChartImages(objects, new RandomIdSource(new ManualClock()), charts);
  });
  afterEach(() => folder[Symbol.asyncDispose]());

  const keep = async (): Promise<string> => (await images.keep(ACME, REQUEST, RESULT)).filename;
  const fetched = async (name: string, company = ACME): Promise<string | null> => {
    const picture = await images.picture(company, name);
    return picture === null ? null : (await buffer(picture.png)).toString();
  };
  const stored = async (area: ObjectArea): Promise<readonly string[]> => {
    const names: string[] = [];
    for await (const { key } of objects.list(area)) names.push(key.name);
    return names;
  };

  it('is drawn when it is fetched, once, and kept, for its company alone', async () => {
    const name = await keep();
    expect(await fetched(name, GLOBEX)).toBeNull();
    expect(await fetched('0.png')).toBeNull();
    expect(charts.drawn).toBe(0);

    const all = await Promise.all(Array.from({ length: 5 }, () => fetched(name)));
    expect(new Set(all)).toEqual(new Set(['a picture of {"mark":"bar"}']));
    expect(await fetched(name)).toBe(all[0]);
    expect(charts.drawn).toBe(1);
    expect([await stored('charts'), await stored('images')]).toEqual([[name], [name]]);
    expect(await images.specification(ACME, name)).toEqual({ mark: 'bar' });
    expect(await images.specification(GLOBEX, name)).toBeNull();
  });

  it('is drawn by whoever asks next when it could not be drawn, and by several instances at once', async () => {
    const [name, elsewhere] = [await keep(), new ChartImages(objects, new RandomIdSource(new ManualClock()), charts)];
    charts.failing = true;
    await expect(images.picture(ACME, name)).rejects.toMatchObject({ kind: 'unavailable' });
    charts.failing = false;

    const both = await Promise.all([images.picture(ACME, name), elsewhere.picture(ACME, name)]);
    expect(both.map((picture) => picture?.bytes)).toEqual([27, 27]);
  });

  it('is removed, drawn or not', async () => {
    const [one, other] = [await keep(), await keep()];
    await fetched(one);
    for (const name of [one, other]) await images.remove(ACME, name);

    expect([await stored('charts'), await stored('images')]).toEqual([[], []]);
    expect(await fetched(other)).toBeNull();
  });
});
