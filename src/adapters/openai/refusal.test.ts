import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { fetchReadably, refusedBy, refusalOf, type Refusal, type Sent } from './refusal.js';

const CHAT: Sent = {
  api: 'chat_completions',
  limit: 'max_tokens',
  parameters: ['tools', 'temperature', 'stream_options', 'max_tokens', 'reasoning_effort', 'messages'],
};
const RESPONSES: Sent = {
  api: 'responses',
  limit: 'max_output_tokens',
  parameters: ['tools', 'temperature', 'include', 'store', 'reasoning', 'max_output_tokens', 'input'],
};
const LENGTH = "This model's maximum context length is 8192 tokens";
const ALL_LIMITS = ['max_tokens', 'max_completion_tokens', 'max_output_tokens'];

function refusal(text: string, marks: Partial<Refusal> = {}): Refusal {
  return { status: 400, code: '', param: '', text, ...marks };
}

describe('refusedBy', () => {
  it.each<[string, Refusal, readonly string[]]>([
    ['a parameter by its name', refusal('Unsupported', { param: 'temperature' }), ['temperature']],
    ['a parameter in a text', refusal('"loc":["body","stream_options"],"msg":"Extra inputs"'), ['stream_options']],
    ['the name of a limit', refusal("Unsupported parameter: 'max_tokens' is not supported"), ['max_tokens']],
    ['a limit that is too large', refusal('max_tokens is too large: 16000. It supports at most 4096'), ALL_LIMITS],
    [
      'a limit that leaves the prompt no room',
      refusal(`${LENGTH} (500 in the messages, 9000 in the completion)`),
      ALL_LIMITS,
    ],
    ['a prompt that is too long', refusal(`${LENGTH}; 9000 in the messages`), []],
    ['an effort', refusal('think value "high" is not supported for this model'), ['reasoning_effort']],
    ['tools on chat completions', refusal('Please use /v1/responses instead.'), ['chat_completions']],
    ['chat completions as such', refusal('only supported in v1/responses', { status: 404 }), ['chat_completions']],
    ['the role of the system', refusal("'messages[0].role' does not support 'system' with this model."), ['system']],
    ['keywords', refusal(`Unknown name "const" at 'tools[0]'\nUnknown name "$ref" at 'tools[1]'`), ['const', '$ref']],
    ['a key', refusal('max_tokens', { status: 401 }), []],
    ['a model that is not there', refusal('not found', { status: 404 }), []],
    ['a parameter that was not sent', refusal('store is not supported', { param: 'store' }), []],
    ['nothing that we know', refusal('Bad request'), []],
  ])('reads %s', (_what, told, refused) => {
    expect(refusedBy(told, CHAT)).toEqual(refused);
  });

  it.each<[string, Refusal, readonly string[]]>([
    ['the whole API', refusal('Not Found', { status: 404 }), ['responses']],
    ['a model that is not there', refusal('no such model', { status: 404, code: 'model_not_found' }), []],
    ['what is encrypted', refusal('Encrypted content is not supported with this model.'), ['include']],
    ['an effort', refusal('Unsupported', { param: 'reasoning.effort' }), ['reasoning_effort']],
  ])('reads, of the Responses API, %s', (_what, told, refused) => {
    expect(refusedBy(told, RESPONSES)).toEqual(refused);
  });
});

describe('refusalOf', () => {
  it('finds the status of a wrapped error', () => {
    const cause = Object.assign(new Error('too long'), { status: 400 });
    expect(refusalOf(new Error('context', { cause }))).toMatchObject({ status: 400, text: 'too long' });
  });

  it.each([[null], ['text'], [new Error('ECONNRESET')]])('takes %j for none', (error) => {
    expect(refusalOf(error)).toBeNull();
  });
});

describe('fetchReadably', () => {
  it.each([
    ['{"error":{"message":"no","code":"c","param":"p"}}', { code: 'c', param: 'p' }],
    ['{"object":"error","message":"no","code":"3230","param":null}', { code: '3230', param: null }],
    ['[{"error":{"code":400,"message":"no"}}]', { code: 400 }],
    ['{"detail":[{"loc":["body","x"],"msg":"no"}]}', {}],
    ['no', {}],
  ])('brings %s into one shape, where it is an error', async (text, marks) => {
    expect(await (await fetchReadably(`data:application/json,${encodeURIComponent(text)}`)).text()).toBe(text);
    const server = createServer((_request, response) => response.writeHead(400).end(text)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const response = await fetchReadably(`http://127.0.0.1:${port}/`);
    server.close();
    expect(await response.json()).toMatchObject({ error: { ...marks, message: text } });
  });
});
