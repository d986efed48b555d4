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

  it('leaves no connection behind', async () => {
    await using receiver = await WebhookReceiver.start();
    const sender = receiver.sender();
    await Promise.all([1, 2, 3].map(() => sender.send({ url: receiver.url, secret: SECRET }, MESSAGE, PATIENT)));

    await eventually(
      () => Promise.resolve(receiver.sockets.size),
      (open) => open === 0,
    );
    expect(receiver.received).toHaveLength(3);
  });

  it.each([200, 201, 202, 204, 299])('is content with a %i', async (status) => {
    await using receiver = await WebhookReceiver.start();
    receiver.answer = (response) => response.writeHead(status).end();
    await expect(receiver.sender().send({ url: receiver.url, secret: SECRET }, MESSAGE, PATIENT)).resolves.toBe(
      undefined,
    );
  });

  it.each([
    ...[400, 401, 404, 410].map((status) => [status, 'invalid_input'] as const),
    ...[408, 425, 429, 500, 503, 599].map((status) => [status, 'unavailable'] as const),
  ])('says of a %i that it is %s', async (status, kind) => {
    await using receiver = await WebhookReceiver.start();
    receiver.answer = (response) => response.writeHead(status).end('no');
    const failure = await failureFor(receiver);
    expect(failure).toMatchObject({ kind, message: `the receiver answered ${status}` });
  });

  it.each([301, 302, 303, 307, 308])('does not follow a %i', async (status) => {
    await using receiver = await WebhookReceiver.start();
    receiver.answer = (response) => response.writeHead(status, { location: receiver.url }).end();
    const failure = await failureFor(receiver);
    expect(failure.kind).toBe('invalid_input');
    expect(receiver.received).toHaveLength(1);
  });

  it.each([
    ['120', 120],
    ['999999', 3600],
    ['Thu, 15 Jan 2026 12:01:00 GMT', 60],
    ['Thu, 15 Jan 2026 11:00:00 GMT', 0],
    ['soon', null],
    ['-5', null],
  ])('passes on a retry-after of %j as %s seconds', async (text, seconds) => {
    await using receiver = await WebhookReceiver.start();
    receiver.answer = (response) => response.writeHead(429, { 'retry-after': text }).end();
    const failure = await failureFor(receiver);
    expect(failure.retryAfter).toBe(seconds);
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
