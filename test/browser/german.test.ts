import { getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';
import { beforeAll, expect, it } from 'vitest';
import { inConsole } from './scene.js';
import type { Visitor } from './visitor.js';

const COUNT = { kind: 'aggregate', measures: [{ aggregate: 'count', column: null, label: 'Tage' }] };

const NARROW = { width: 390, scheme: 'light' } as const;
const WIDE = { width: 1440, scheme: 'dark' } as const;

inConsole('the console in German', { weather: true }, (the) => {
  /** Pages with a word that shows that they are there. */
  let pages: readonly (readonly [path: string, word: string | RegExp])[];
  let english: ReadonlySet<string>;

  beforeAll(async () => {
    const { client, datasource } = the;
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
      ['/datasources/new', 'Datei hier ablegen'],
      [at('summary'), 'Werte von location'],
      [at('rows'), 'CSV exportieren'],
      [at('insert'), 'Aus einer Tabellenkalkulation oder CSV-Datei einfügen'],
      [at('meaning'), 'Benannte Kennzahlen'],
      [at('details'), 'Wie die Zeilen gelesen werden'],
      [`/assistant/${conversation}`, 'Diese Zeilen anzeigen'],
      [`/boards/${board}`, /25\.–31\. Dez\. 2015/],
      [`/alerts/${alert}`, 'Bisher ist nichts passiert'],
      ['/tasks/new', 'Was möchten Sie wissen?'],
      ['/users', 'Jemanden einladen'],
      ['/settings', 'Nutzung in diesem Monat'],
      ['/datasources', '2.922 Zeilen'],
    ];
    english = await englishWords();
  });

  it('says everything in German, fits, and is in the language that is chosen', async () => {
    await using ada = await the.house.visit({ locale: 'de-DE', ...NARROW });
    const { page } = ada;
    const isGerman = async (path: string): Promise<void> => {
      const texts = await textsOf(ada);
      expect(
        texts.filter((text) => english.has(text)),
        path,
      ).toEqual([]);
      await expect.poll(() => ada.overflows(), { message: path }).toBe(false);
    };
    await ada.open('/datasources');
    await ada.sees('Passwort vergessen');
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de');
    await isGerman('/sign-in');
    expect(await ada.faultsIn([{ width: 360 }, WIDE])).toEqual([]);
    await ada.turns(NARROW);
    await ada.signIn(the.house.manager);
    await ada.sees('2.922 Zeilen');
    for (const [path, word] of pages) {
      await ada.goes(path);
      // Words that are labels alone have no text.
      await page.getByText(word).or(page.getByLabel(word)).first().waitFor({ state: 'attached' });
      await isGerman(path);
    }
    // Wide, there are words that a narrow page hides.
    await ada.turns(WIDE);
    await isGerman('/datasources');
    expect(await ada.barriers()).toEqual([]);

    await ada.open('/account');
    await ada.sees('Wo Sie angemeldet sind');
    await isGerman('/account');
    await page.getByLabel('Sprache der Oberfläche').selectOption('English');
    await ada.title('Your account').waitFor();
    await ada.open('/datasources');
    await ada.sees('2,922 rows');
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en');
    await ada.open('/account');
    await page.getByLabel('Language of the pages').selectOption('Deutsch');
    await ada.title('Ihr Konto').waitFor();
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
