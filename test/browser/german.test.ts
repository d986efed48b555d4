import { getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './chromium.js';
import { Console } from './console.js';
import type { Visitor } from './visitor.js';
import { weatherIn } from './weather.builder.js';

const COUNT = { kind: 'aggregate', measures: [{ aggregate: 'count', column: null, label: 'Tage' }] };

const GERMAN = { locale: 'de-DE' };
const LOOKS = [
  { width: 390, scheme: 'light' },
  { width: 1440, scheme: 'dark' },
] as const;

describe.skipIf(chromiumPath === undefined)('the console in German', () => {
  let house: Console;
  /** Pages with a word that shows that they are there. */
  let pages: readonly (readonly [path: string, word: string | RegExp])[];
  let english: ReadonlySet<string>;

  beforeAll(async () => {
    house = await Console.shared();
    const { client, datasource } = await weatherIn(house);
    const about = { title: 'Wetter', datasource_id: datasource };
    const conversation = String((await client.post('/secure/assistant/conversation', about)).body['id']);
    const question = { conversation_id: conversation, message: 'Average temp_max by location' };
    await client.post('/secure/assistant/chat', question);
    const { id: board } = (await client.post('/secure/board', { title: 'Übersicht' })).body['board'] as { id: string };
    const tile = { datasource_id: datasource, plan: COUNT, title: 'Tage' };
    await client.post(`/secure/board/${board}/tile`, tile);
    await client.patch(`/secure/board/${board}`, { range: { last: 7, unit: 'day' } });
    // A query: the words of a plan are the service's, and English.
    const watched = { datasource_id: datasource, dbquery: 'SELECT max(temp_max) FROM data' };
    const hot = { ...watched, name: 'Hitze', condition: { type: 'above', value: 100 } };
    const { id: alert } = (await client.post('/secure/alerts', hot)).body['alert'] as { id: string };
    const at = (tab: string): string => `/datasources/${datasource}?tab=${tab}`;
    pages = [
      ['/datasources', '2.922 Zeilen'],
      ['/datasources/new', 'Datei hier ablegen'],
      [at('summary'), 'Werte von location'],
      [at('rows'), 'CSV exportieren'],
      [at('explore'), 'Zeitraum wählen'],
      [at('insert'), 'Zeilen einfügen'],
      [at('rejected'), 'Keine Zeilen übersprungen'],
      [at('meaning'), 'Benannte Kennzahlen'],
      [at('verified'), 'Noch keine'],
      [at('details'), 'Wie die Zeilen gelesen werden'],
      ['/assistant', 'Fragen Sie Ihre Daten'],
      [`/assistant/${conversation}`, 'Diese Zeilen anzeigen'],
      ['/boards', '1 Kachel'],
      [`/boards/${board}`, /25\.–31\. Dez\. 2015/],
      ['/alerts', 'Hitze'],
      [`/alerts/${alert}`, 'Bisher ist nichts passiert'],
      ['/bin', 'Der Papierkorb ist leer'],
      ['/files', 'Noch keine Dateien'],
      ['/tasks', 'Noch keine Aufgaben'],
      ['/tasks/new', 'Was möchten Sie wissen?'],
      ['/users', 'Jemanden einladen'],
      ['/audit', 'Datenquelle angelegt'],
      ['/settings', 'Nutzung in diesem Monat'],
      ['/account', 'Wo Sie angemeldet sind'],
      ['/api-keys', 'Noch keine Schlüssel'],
      ['/nowhere', 'Diese Seite gibt es nicht'],
    ];
    english = await englishWords();
  });
  afterAll(() => house[Symbol.asyncDispose]());

  it('says everything in German, fits and is accessible', async () => {
    await using stranger = await house.visit(GERMAN);
    await stranger.open('/datasources');
    await stranger.sees('Passwort vergessen');
    await expect.poll(() => stranger.page.locator('html').getAttribute('lang')).toBe('de');
    expect(await stranger.faultsIn([{ width: 360 }, ...LOOKS])).toEqual([]);
    expect(stranger.troubles).toEqual([]);
    for (const [index, [path, word]] of pages.entries()) {
      // One page is opened and looked at by axe in light, the next in dark: the same components are on both.
      const looks = index % 2 === 0 ? LOOKS : LOOKS.toReversed();
      const ada = await house.at(path, { ...GERMAN, ...looks[0] });
      // Words that are labels alone have no text.
      await ada.page.getByText(word).or(ada.page.getByLabel(word)).first().waitFor({ state: 'attached' });
      await ada.page.waitForLoadState('networkidle');
      for (const [at, look] of looks.entries()) {
        await ada.turns(look);
        await expect.poll(() => ada.overflows(), { message: path }).toBe(false);
        if (at === 0) expect(await ada.barriers(), path).toEqual([]);
        const texts = await textsOf(ada);
        expect(
          texts.filter((text) => english.has(text)),
          path,
        ).toEqual([]);
      }
      expect(ada.troubles, path).toEqual([]);
    }
  });

  it('is in the language that is chosen, which is kept', async () => {
    const ada = await house.at('/account', { ...GERMAN, ...LOOKS[1] });
    await ada.page.getByLabel('Sprache der Oberfläche').selectOption('English');
    await ada.title('Your account').waitFor();
    await ada.open('/datasources');
    await ada.sees('2,922 rows');
    await expect.poll(() => ada.page.locator('html').getAttribute('lang')).toBe('en');
    await ada.open('/account');
    await ada.page.getByLabel('Language of the pages').selectOption('Deutsch');
    await ada.title('Ihr Konto').waitFor();
    expect(ada.troubles).toEqual([]);
  });
});

/** English words that are others in German. */
async function englishWords(): Promise<ReadonlySet<string>> {
  const [catalog] = await getCatalogs(getConfig({ cwd: 'web' }));
  const messages = Object.values((await catalog?.read('de')) ?? {});
  return new Set(messages.flatMap(({ message = '', translation }) => (message === translation ? [] : [message])));
}

/** What is read on the page, and what is read out. */
function textsOf({ page }: Visitor): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { document } = globalThis as unknown as { document: { querySelectorAll(query: string): Iterable<Shown> } };
    return [...document.querySelectorAll('body *')].flatMap((element) => [
      ...[...element.childNodes].flatMap((node) => (node.nodeType === 3 ? [node.textContent.trim()] : [])),
      ...['aria-label', 'title', 'placeholder'].flatMap((name) => element.getAttribute(name) ?? []),
    ]);
  });
}

interface Shown {
  readonly childNodes: Iterable<{ readonly nodeType: number; readonly textContent: string }>;
  getAttribute(name: string): string | null;
}
