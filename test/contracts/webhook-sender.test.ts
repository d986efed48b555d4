import { createHmac } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { RECEIVER, WebhookReceiver } from '../support/webhook-receiver.js';
import { failureFor, failureOf, MESSAGE, PATIENT, refusalOf, SECRET } from './webhook-sender.fixture.js';

describe('HttpsWebhookSender', () => {
  it('posts a message that is signed as the Standard Webhooks specification has it', async () => {
    await using receiver = await WebhookReceiver.start();
    await receiver.sender().send({ url: receiver.url, secret: SECRET }, MESSAGE, PATIENT);

    const [{ method, path, headers, body }] = receiver.received as [(typeof receiver.received)[0]];
    expect({ method, path }).toEqual({ method: 'POST', path: '/hooks?from=das' });
    expect(JSON.parse(body)).toEqual({
      type: MESSAGE.event,
      timestamp: '2026-01-15T11:59:00.000Z',
      data: MESSAGE.body,
    });
    const timestamp = String(Date.UTC(2026, 0, 15, 12) / 1000);
    const signature = createHmac('sha256', SECRET).update(`${MESSAGE.id}.${timestamp}.${body}`).digest('base64');
    expect(headers).toMatchObject({
      host: `${RECEIVER}:${receiver.port}`,
      'content-type': 'application/json; charset=utf-8',
      'webhook-id': MESSAGE.id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    });
    expect(receiver.names).toEqual([RECEIVER]);
  });

  it('takes a secret that begins with whsec_ for the base64 of the key', async () => {
    await using receiver = await WebhookReceiver.start();
    const key = Buffer.from('0123456789abcdef01234567');
    const secret = `whsec_${key.toString('base64')}`;
    await receiver.sender().send({ url: receiver.url, secret }, MESSAGE, PATIENT);

    const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
    const signed = `${MESSAGE.id}.${String(headers['webhook-timestamp'])}.${body}`;
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  });

  it('is content with every 2xx, may ask again after some, not after others, and never follows', async () => {
    await using receiver = await WebhookReceiver.start();
    const sending = (status: number): Promise<void> => {
      receiver.answer = (response) => response.writeHead(status, { location: receiver.url }).end('no');
      return receiver.sender().send({ url: receiver.url, secret: SECRET }, MESSAGE, PATIENT);
    };
    for (const status of [200, 202, 204, 299]) await expect(sending(status)).resolves.toBeUndefined();
    for (const [kind, statuses] of Object.entries({
      invalid_input: [301, 303, 307, 308, 400, 401, 404, 410],
      unavailable: [408, 425, 429, 500, 503, 599],
    }))
      for (const status of statuses)
        expect(await failureOf(sending(status))).toMatchObject({ kind, message: `the receiver answered ${status}` });
    expect(receiver.received).toHaveLength(18);
  });

  it('passes on after how many seconds to come back', async () => {
    await using receiver = await WebhookReceiver.start();
    for (const [text, seconds] of [
      ['120', 120],
      ['999999', 3600],
      ['Thu, 15 Jan 2026 12:01:00 GMT', 60],
      ['Thu, 15 Jan 2026 11:00:00 GMT', 0],
      ['soon', null],
      ['-5', null],
    ] as const) {
      receiver.answer = (response) => response.writeHead(429, { 'retry-after': text }).end();
      expect((await failureFor(receiver)).retryAfter, text).toBe(seconds);
    }
  });
});

describe('HttpsWebhookSender and a receiver that misbehaves', () => {
  it('ends when nothing is answered', async () => {
    await using receiver = await WebhookReceiver.start();
    receiver.answer = () => undefined;
    const failure = await failureFor(receiver, { timeoutMs: 300 });
    expect(failure).toMatchObject({ kind: 'unavailable', message: 'the receiver did not answer in time' });
    await eventually(
      () => Promise.resolve(receiver.sockets.size),
      (open) => open === 0,
    );
  });

  it('ends when the name is looked up for ever', async () => {
    const addresses = { resolve: () => new Promise<never>(() => undefined), isAllowed: () => true };
    const failure = await refusalOf(`https://${RECEIVER}/`, { addresses, timeoutMs: 200 });
    expect(failure).toMatchObject({ kind: 'unavailable', message: 'the receiver did not answer in time' });
  });

  it('ends when it is aborted', async () => {
    await using receiver = await WebhookReceiver.start();
    const abort = new AbortController();
    receiver.answer = () => {
      abort.abort();
    };
    const failure = await failureOf(
      receiver.sender().send({ url: receiver.url, secret: SECRET }, MESSAGE, abort.signal),
    );
    expect(failure.kind).toBe('unavailable');
  });

  it('reads no more than 64 KiB of an endless answer, and takes its status', async () => {
    await using receiver = await WebhookReceiver.start();
    let written = 0;
    receiver.answer = (response) => {
      response.writeHead(200);
      const more = (): void => {
        if (response.destroyed) return;
        written += 65_536;
        response.write('x'.repeat(65_536), () => setImmediate(more));
      };
      more();
    };
    await receiver.sender().send({ url: receiver.url, secret: SECRET }, MESSAGE, PATIENT);
    await eventually(
      () => Promise.resolve(receiver.sockets.size),
      (open) => open === 0,
    );
    // What the buffers of both sides held when the connection went.
    expect(written).toBeLessThan(32 * 1024 * 1024);
  });

  it('takes the status of an answer that drips or breaks off', async () => {
    await using receiver = await WebhookReceiver.start();
    receiver.answer = (response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('x');
    };
    await receiver.sender({ timeoutMs: 500 }).send({ url: receiver.url, secret: SECRET }, MESSAGE, PATIENT);
    receiver.answer = (response) => {
      response.writeHead(500, { 'content-length': '1000' });
      response.write('x', () => response.destroy());
    };
    const failure = await failureFor(receiver);
    expect(failure).toMatchObject({ kind: 'unavailable', message: 'the receiver answered 500' });
  });

  it.each([
    ['cuts the connection', (socket: Duplex) => void socket.destroy()],
    ['speaks no HTTP', (socket: Duplex) => void socket.end('220 smtp.example\r\n')],
    [
      'sends headers without end',
      (socket: Duplex) => void socket.end(`HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(20_000)}\r\n`),
    ],
  ])('may be asked again when it %s', async (_name, misbehave) => {
    await using receiver = await WebhookReceiver.start();
    receiver.answer = (_response, { socket }) => {
      misbehave(socket);
    };
    const failure = await failureFor(receiver, { timeoutMs: 2000 });
    expect(failure.kind).toBe('unavailable');
  });

  it('refuses when it wants to speak something else', async () => {
    await using receiver = await WebhookReceiver.start();
    receiver.answer = (_response, { socket }) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
    const failure = await failureFor(receiver);
    expect(failure).toMatchObject({ kind: 'invalid_input', message: 'the receiver answered 101' });
  });

  it('may be asked again when nobody listens, or the name is not known', async () => {
    const receiver = await WebhookReceiver.start();
    const { url } = receiver;
    const sender = receiver.sender();
    await receiver[Symbol.asyncDispose]();
    const gone = await failureOf(sender.send({ url, secret: SECRET }, MESSAGE, PATIENT));
    expect(gone).toMatchObject({ kind: 'unavailable', message: "the receiver can't be reached: ECONNREFUSED" });

    const addresses = { resolve: () => Promise.reject(new Error('ENOTFOUND')), isAllowed: () => true };
    expect(await refusalOf(`https://${RECEIVER}/`, { addresses })).toMatchObject({ kind: 'unavailable' });
  });
});
