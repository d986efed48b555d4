import { milliseconds, timeOf, times, type Figure } from './figures.js';
import { timesOf } from './page-clock.js';
import { reader, type World } from './world.js';

const TURNS = 10;

/** From the key that sends a question to its answer on the page, and the same questions without a page. */
export async function answers(world: World): Promise<readonly Figure[]> {
  const { client, datasource } = world;
  const begun = async (title: string): Promise<string> => {
    const body = { title, datasource_id: datasource };
    return (await client.call(client.api.POST('/api/v1/secure/assistant/conversation', { body }))).id;
  };
  const [paged, bare] = [await begun('In the page'), await begun('Without a page')];
  await using visitor = await reader(world, `/assistant/${paged}`);
  const { page } = visitor;
  const took = await times(TURNS, async (turn) => {
    const message = `Average temperature by sensor in ${MONTHS[turn % MONTHS.length] ?? ''}`;
    await page.getByRole('button', { name: 'Send' }).waitFor();
    await page.getByRole('textbox', { name: 'Your question' }).fill(message);
    await page.keyboard.press('Enter');
    const { asked, firstWord, answered } = await timesOf(page, 'answered');
    const body = { conversation_id: bare, message };
    const alone = await timeOf(() => client.call(client.api.POST('/api/v1/secure/assistant/chat', { body })));
    return { firstWord: firstWord - asked, answered: answered - asked, alone };
  });
  const baseline = `${milliseconds(took.map(({ alone }) => alone))}: POST chat from Node, to its end`;
  return [
    {
      name: 'Answer: from the key to the first word',
      value: milliseconds(took.map(({ firstWord }) => firstWord)),
      baseline,
    },
    {
      name: 'Answer: from the key to the whole of it, with its chart’s place',
      value: milliseconds(took.map(({ answered }) => answered)),
      baseline,
    },
  ];
}

const MONTHS = ['January', 'February', 'March'];
