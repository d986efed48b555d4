import { beforeEach, describe, expect, it } from 'vitest';
import { aServiceWithModel } from '../api/a-service.js';
import { aContextConversation, ask, processed } from '../api/context-files.builder.js';
import { importedDatasource, openConversation } from '../api/world.builder.js';
import { StreamClient, streamUrl } from '../support/stream-client.js';

const FILES = [
  { name: 'pumps.txt', content: 'The pump P-7 is serviced every 90 days by the maintenance team.' },
  { name: 'valves.txt', content: 'The valve V-3 belongs to the pump P-7 and is replaced every two years.' },
  { name: 'canteen.txt', content: 'The canteen opens at noon.' },
];
const QUESTION = 'How often is the pump P-7 serviced, and its valve V-3 replaced?';

const [api, double] = await aServiceWithModel();
const ada = await api.signIn('acme');
const datasource = await importedDatasource(api, ada);
await processed(api, ada, FILES);
let conversation: string;

beforeEach(async () => {
  double.clear();
  double.requests.length = 0;
  conversation = await aContextConversation(ada, datasource);
});

/** Under which number the model was shown the passages of a file. */
function numberOf(filename: string, prompt: string): number {
  return Number(new RegExp(`\\[(\\d)\\] ${filename}`).exec(prompt)?.[1]);
}

describe('a model that is given passages', () => {
  it('is told them with their files and no tools, and its citations are the sources, in their order, also by stream', async () => {
    double.append({ content: 'Let me see.' });
    await ask(ada, conversation, QUESTION);
    const { messages, tools = [] } = double.requests[0]!.body;
    expect(tools).toEqual([]);
    const prompt = String(messages.at(-1)?.content);
    const [pumps, valves] = [numberOf('pumps.txt', prompt), numberOf('valves.txt', prompt)];
    double.append({ content: `Replaced every two years [${valves}], serviced every 90 days [${pumps}].` });
    const answer = await ask(ada, conversation, QUESTION);
    expect(answer.response).toBe('Replaced every two years [1], serviced every 90 days [2].');
    expect(answer.sources.map(({ filename, page, quote }) => [filename, page, quote])).toEqual([
      ['valves.txt', null, FILES[1]?.content],
      ['pumps.txt', null, FILES[0]?.content],
    ]);
    expect(answer).toMatchObject({ kind: 'answer', dbquery: '' });

    double.append({ content: ['Every two ', 'years [', String(valves), '], they', ' say', '.'], pieceAfterMs: 5 });
    const asked = { conversation_id: conversation, message: QUESTION };
    const { body } = await ada.post('/secure/assistant/chatstream', asked);
    await using room = await StreamClient.open(streamUrl(api.url, String(body['message_id']), String(ada.token)));
    const complete = await room.hears({ event: 'chat-complete' });
    const chunks = room.frames.filter(({ event }) => event === 'chat-chunk').map(({ data }) => data['chunk']);
    expect(chunks.join('')).toBe('Every two years [1], they say.');
    const response = { response: 'Every two years [1], they say.', sources: [{ filename: 'valves.txt' }] };
    expect(complete.data).toMatchObject({ response });
  });

  it('has only those passages for sources that it says the same as, when it names none', async () => {
    double.append({ content: 'It is serviced every 90 days by the maintenance team.' });
    const answer = await ask(ada, conversation, QUESTION);
    expect(answer.sources.map(({ filename }) => filename)).toEqual(['pumps.txt']);
    double.append({ content: 'Nobody can know that from here.' });
    expect((await ask(ada, conversation, QUESTION)).sources).toEqual([]);
  });

  it('has them beside a table as well, none of a file that does not fit, and those of the question before', async () => {
    double.append({ content: 'I do not know.' }, { content: 'At noon.' }, { content: 'Every day.' });
    await ask(ada, conversation, 'Who painted the ceiling of the chapel?');
    expect(JSON.stringify(double.requests[0]?.body)).not.toMatch(/90 days|canteen/);
    await ask(ada, conversation, 'When does the canteen open?');
    await ask(ada, conversation, 'And why?');
    expect(double.requests[2]?.body.messages.at(-1)?.content).toContain('canteen.txt');

    double.append({ content: 'As the table and the files say.' });
    await ask(ada, await openConversation(ada, datasource), QUESTION);
    const { tools, messages } = double.requests[3]!.body;
    expect(tools?.map((tool) => tool.function.name)).toContain('analyze');
    expect(messages.at(-1)?.content).toMatch(/Table: data[^]*Passages:[^]*90 days/);
  });
});
