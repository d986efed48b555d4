/**
 * A model that answers in no time, as a process of its own: asks for a count by a plan, and then writes. `SLOWLY` in the question makes
 * it write in pieces, so many milliseconds apart. Prints its address.
 */
import { createServer, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: string | null }[];
}

const PIECES = 40;
const PIECE = 'The rows are all there, and this is what can be said of them, one sentence after the other. ';
const PLAN = { kind: 'aggregate', measures: [{ aggregate: 'count', column: null, label: 'rows' }] };
const CALL = { index: 0, id: 'call_1', type: 'function' };

function send(response: ServerResponse, choice: object): void {
  response.write(
    `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'zero', choices: [{ index: 0, ...choice }] })}\n\n`,
  );
}

async function write(response: ServerResponse, everyMs: number | null): Promise<void> {
  if (everyMs === null) send(response, { delta: { content: 'There they all are.' }, finish_reason: null });
  for (let piece = 0; everyMs !== null && piece < PIECES; piece += 1) {
    send(response, { delta: { content: PIECE }, finish_reason: null });
    await pause(everyMs);
  }
}

async function answer({ messages }: Asked, response: ServerResponse): Promise<void> {
  const question = String(messages.findLast(({ role }) => role === 'user')?.content);
  const slowly = /SLOWLY (\d+)/.exec(question)?.[1];
  const isAsking = messages.at(-1)?.role === 'user' && !question.includes('AT ONCE');
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (isAsking) {
    const call = { name: 'analyze', arguments: JSON.stringify({ plan: PLAN, purpose: 'how many rows there are' }) };
    send(response, { delta: { role: 'assistant', tool_calls: [{ ...CALL, function: call }] }, finish_reason: null });
  } else {
    await write(response, slowly === undefined ? null : Number(slowly));
  }
  send(response, { delta: {}, finish_reason: isAsking ? 'tool_calls' : 'stop' });
  response.end('data: [DONE]\n\n');
}

const server = createServer((request, response) => {
  void json(request).then((body) => answer(body as Asked, response));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address !== 'string') console.log(`http://127.0.0.1:${address.port}/v1`);
});
process.on('disconnect', () => process.exit());
