// Makes a picture of every page, in light and dark, wide and narrow: npm run docs:screens
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createClient, type Client } from '../../client/src/index.js';
import { chromiumPath } from '../../test/browser/chromium.js';
import { Console, theBrowser } from '../../test/browser/console.js';
import { workScenes, type Scene } from './screens.work.js';
import { smallPng } from './small-png.js';
import type { Visitor } from '../../test/browser/visitor.js';

const FOLDER = resolve('docs/images/console');
const LOOKS = [
  { name: 'wide-light', width: 1280, height: 860, scheme: 'light' },
  { name: 'wide-dark', width: 1280, height: 860, scheme: 'dark' },
  { name: 'narrow-light', width: 360, height: 740, scheme: 'light' },
  { name: 'narrow-dark', width: 360, height: 740, scheme: 'dark' },
] as const;
/** Tall enough to show a page, not so tall that nobody looks at it. */
const TALLEST = 1600;

async function main(): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  await using house = await Console.start();
  const scenes = await prepared(house);
  for (const look of LOOKS) {
    await using visitor = await house.visit(look);
    await visitor.open('/');
    await picture(visitor, `sign-in-${look.name}`);
    await visitor.signIn(house.manager);
    await visitor.title('Datasources').waitFor();
    for (const { name, path, ready } of scenes) {
      await visitor.open(path);
      await ready(visitor);
      await visitor.page.waitForLoadState('networkidle');
      await picture(visitor, `${name}-${look.name}`);
      if (await visitor.overflows()) console.log(`${name} can be scrolled sideways at ${String(look.width)} px`);
    }
    for (const trouble of visitor.troubles) console.log(`${look.name}: ${trouble}`);
  }
}

/** As tall as the page, in a window of that height: what is fixed to the window would end in the middle of the picture. */
async function picture({ page }: Visitor, name: string): Promise<void> {
  const size = page.viewportSize() ?? { width: 1280, height: 860 };
  const tall = await page.evaluate<number>('document.documentElement.scrollHeight');
  const height = Math.max(Math.min(tall, TALLEST), size.height);
  await page.setViewportSize({ width: size.width, height });
  await writeFile(join(FOLDER, `${name}.png`), smallPng(await page.screenshot({ animations: 'disabled' })));
  await page.setViewportSize(size);
  console.log(`${name}.png`);
}

/** A company that has something to show. */
async function prepared(house: Console): Promise<readonly Scene[]> {
  const client = createClient({ baseUrl: house.url });
  await client.signIn(house.manager.email, house.manager.password);
  const weather = await imported(client, 'Weather of Seattle and New York', await readFile('samples/weather.csv'), {
    metafield: 'location',
    timefield: 'date',
    context: 'Daily weather. Temperatures in °C, precipitation in mm, wind in km/h.',
  });
  const store = await imported(client, 'Cold store 4', sensorFile(), { metafield: 'sensor', timefield: 'time' });
  const nobodys = new TextEncoder().encode(`shop,day,sold\n${',2024-05-01,7\n'.repeat(20)}`);
  const failed = await imported(client, 'Deliveries in May', nobodys, { metafield: 'shop', timefield: 'day' });
  return [...datasourceScenes(weather), ...storeScenes(store, failed), ...(await workScenes(client, weather))];
}

function datasourceScenes(id: string): readonly Scene[] {
  const at = (tab: string): string => `/datasources/${id}?tab=${tab}`;
  return [
    { name: 'datasources', path: '/datasources', ready: (visitor) => visitor.sees('Cold store 4') },
    { name: 'new-datasource', path: '/datasources/new', ready: chosenFile },
    {
      name: 'summary',
      path: at('summary'),
      ready: ({ page }) => page.getByRole('img', { name: 'Distribution of wind' }).waitFor(),
    },
    {
      name: 'explore',
      path: `${at('explore')}&value=temp_max&asset=Seattle`,
      ready: ({ page }) => page.getByRole('img', { name: /^temp_max of Seattle from/ }).waitFor(),
    },
    { name: 'insert', path: at('insert'), ready: pastedRows },
    { name: 'details', path: at('details'), ready: (visitor) => visitor.sees('How the rows are read') },
  ];
}

function storeScenes(store: string, failed: string): readonly Scene[] {
  return [
    {
      name: 'explore-band',
      path: `/datasources/${store}?tab=explore&value=temperature`,
      ready: ({ page }) => page.getByRole('img', { name: /^temperature from/ }).waitFor(),
    },
    {
      name: 'skipped-lines',
      path: `/datasources/${store}?tab=rejected`,
      ready: (visitor) => visitor.sees('S1,soon,4.2'),
    },
    { name: 'failed-import', path: `/datasources/${failed}`, ready: (visitor) => visitor.sees('The import failed') },
  ];
}

async function chosenFile(visitor: Visitor): Promise<void> {
  await visitor.chooseFile(resolve('samples/weather.csv'));
  await visitor.sees(/is read as/);
}

async function pastedRows(visitor: Visitor): Promise<void> {
  await visitor.pastes(
    'Rows',
    'location,date,temp_max,temp_min\nSeattle,2016-01-01,7.5,1.2\nNew York,2016-01-01,3.1,-2',
  );
}

interface Config {
  readonly metafield: string;
  readonly timefield: string;
  readonly timeformat?: string;
  readonly context?: string;
}

async function imported(client: Client, name: string, bytes: Uint8Array<ArrayBuffer>, config: Config): Promise<string> {
  const upload = await client.uploadDatasourceFile(new File([bytes], `${name.toLowerCase().replaceAll(' ', '-')}.csv`));
  const body = { name, type: 'csv', filename: upload.filename, config } as const;
  const { datasource_id: id } = await client.call(client.api.PUT('/api/v1/secure/datasource', { body }));
  for (;;) {
    const query = { params: { query: { id } } };
    const { datasource } = await client.call(client.api.GET('/api/v1/secure/datasource', query));
    if (!datasource.updating) return id;
    await new Promise((wake) => setTimeout(wake, 100));
  }
}

/** Three sensors, a value each minute for two days, with one line that is none. */
function sensorFile(): Uint8Array<ArrayBuffer> {
  const lines = ['sensor,time,temperature'];
  for (let minute = 0; minute < 2 * 24 * 60; minute += 1) {
    const time = new Date(Date.UTC(2026, 2, 2) + minute * 60_000).toISOString();
    for (const sensor of [1, 2, 3]) {
      lines.push(`S${String(sensor)},${time},${(4 + sensor + 2 * Math.sin(minute / 120)).toFixed(2)}`);
    }
  }
  return new TextEncoder().encode(`${[...lines, 'S1,soon,4.2'].join('\n')}\n`);
}

if (chromiumPath !== undefined) {
  await main();
  await (await theBrowser()).close();
}
