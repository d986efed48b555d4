import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { PUBLIC_ADDRESSES } from '../../src/adapters/network/checked-addresses.js';
import { HttpsWebhookSender, type SenderOptions } from '../../src/adapters/webhooks/https-webhook-sender.js';
import type { WebhookMessage } from '../../src/ports/webhook-sender.js';
import { type AppError, isAppError } from '../../src/shared/app-error.js';
import { RECEIVER, WebhookReceiver } from '../support/webhook-receiver.js';

const SECRET = 'a secret of the receiver';
const PATIENT = new AbortController().signal;
const MESSAGE: WebhookMessage = {
  id: '0123456789abcdef01234567',
  event: 'agent-task.finished',
  body: { task_id: 'abc', answer: 'Zwölf Äpfel — 12 🍎' },
  happenedAt: new Date('2026-01-15T11:59:00.000Z'),
  sentAt: new Date('2026-01-15T12:00:00.900Z'),
};

async function failureOf(sending: Promise<void>): Promise<AppError> {
  const error: unknown = await sending.catch((thrown: unknown) => thrown);
  if (!isAppError(error)) throw new Error(`no AppError: ${String(error)}`);
  return error;
}

function send(to: HttpsWebhookSender, url: string, secret = SECRET): Promise<void> {
  return to.send({ url, secret }, MESSAGE, PATIENT);
}

/** How a message to this address fails with the rules of production. */
function refusalOf(url: string, options: SenderOptions = {}): Promise<AppError> {
  return failureOf(send(new HttpsWebhookSender(options), url));
}

/** How a message to the receiver fails. */
function failureFor(receiver: WebhookReceiver, options: SenderOptions = {}): Promise<AppError> {
  return failureOf(send(receiver.sender(options), receiver.url));
}

function resolvingTo(...addresses: readonly string[]) {
  return () => Promise.resolve(addresses.map((address) => ({ address, family: 4 })));
}

// prettier-ignore
const OUR_OWN = [
  '127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '0.0.0.0', '10.0.0.1', '172.16.0.1', '192.168.1.1',
  '169.254.169.254', '100.64.0.1', '100.100.100.200', '168.63.129.16', '192.0.0.192', '192.0.2.1', '198.18.0.1',
  '224.0.0.1', '240.0.0.1', '255.255.255.255', '[::]', '[::1]', '[::ffff:127.0.0.1]', '[::ffff:8.8.8.8]',
  '[::7f00:1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::1]', '[2002:7f00:1::]', '[fc00::1]', '[fd00:ec2::254]', '[fe80::1]',
  '[fec0::1]', '[ff02::1]', '[2001:db8::1]', '[4000::1]',
];

describe('HttpsWebhookSender and its trust', () => {
  it('does not speak to who has no certificate for the name, or signed the own', async () => {
    await using other = await WebhookReceiver.start('other.example');
    await using own = await WebhookReceiver.start();
    const addresses = { resolve: resolvingTo('127.0.0.1'), isAllowed: () => true };
    for (const [failure, code] of [
      [await failureFor(other), 'ERR_TLS_CERT_ALTNAME_INVALID'],
      [await refusalOf(own.url, { addresses }), 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ] as const)
      expect(failure.message).toBe(`the receiver can't be reached: ${code}`);
    expect([...other.received, ...own.received]).toEqual([]);
  });

  it('refuses what is not https, or holds credentials', async () => {
    const kind = 'invalid_input';
    for (const url of ['http://receiver.example/', 'file:///etc/passwd', 'receiver.example', '', 'https://'])
      expect(await refusalOf(url), url).toMatchObject({ kind, message: 'the address of the receiver must be https' });
    for (const url of ['https://ada@receiver.example/', 'https://:secret@receiver.example/'])
      expect(await refusalOf(url), url).toMatchObject({ kind });
  });

  it('refuses every address that is not on the public internet', async () => {
    const message = 'the receiver is not on the public internet';
    for (const host of OUR_OWN)
      expect(await refusalOf(`https://${host}/`), host).toMatchObject({ kind: 'invalid_input', message });
  });

  it('refuses a name that leads to a machine of ours, be it one of several', async () => {
    const own = { ...PUBLIC_ADDRESSES, resolve: resolvingTo('127.0.0.1') };
    expect((await refusalOf('https://hooks.example.com/', { addresses: own })).kind).toBe('invalid_input');
    await using receiver = await WebhookReceiver.start();
    const resolve = resolvingTo('93.184.216.34', '127.0.0.1');
    const addresses = { resolve, isAllowed: (one: string) => one !== '127.0.0.1' };
    const failure = await refusalOf(receiver.url, { addresses, ca: receiver.certificate.cert });
    expect(failure.message).toBe('the receiver is not on the public internet');
    expect(receiver.received).toEqual([]);
  });

  it('connects to the address that was checked, whatever the name says the next time', async () => {
    await using receiver = await WebhookReceiver.start();
    let asked = 0;
    const resolve = (): ReturnType<ReturnType<typeof resolvingTo>> => {
      asked += 1;
      return resolvingTo(asked === 1 ? '127.0.0.1' : '127.0.0.2')();
    };
    const addresses = { resolve, isAllowed: (address: string) => address === '127.0.0.1' };
    await send(receiver.sender({ addresses }), receiver.url);
    expect({ asked, received: receiver.received.length }).toEqual({ asked: 1, received: 1 });
  });
});

function signed(text: string, key: string | Buffer): string {
  return `v1,${createHmac('sha256', key).update(`${MESSAGE.id}.${text}`).digest('base64')}`;
}

describe('HttpsWebhookSender', () => {
  it('posts a message that is signed as the Standard Webhooks specification has it', async () => {
    await using receiver = await WebhookReceiver.start();
    await send(receiver.sender(), receiver.url);

    const [{ method, path, headers, body }] = receiver.received as [(typeof receiver.received)[0]];
    expect({ method, path }).toEqual({ method: 'POST', path: '/hooks?from=das' });
    const { event: type, body: data } = MESSAGE;
    expect(JSON.parse(body)).toEqual({ type, timestamp: '2026-01-15T11:59:00.000Z', data });
    const timestamp = String(Date.UTC(2026, 0, 15, 12) / 1000);
    expect(headers).toMatchObject({
      host: `${RECEIVER}:${receiver.port}`,
      'content-type': 'application/json; charset=utf-8',
      'webhook-id': MESSAGE.id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signed(`${timestamp}.${body}`, SECRET),
    });
    expect(receiver.names).toEqual([RECEIVER]);

    // A secret that begins like this is the base64 of the key.
    const key = Buffer.from('0123456789abcdef01234567');
    await send(receiver.sender(), receiver.url, `whsec_${key.toString('base64')}`);
    expect(receiver.received[1]?.headers['webhook-signature']).toBe(signed(`${timestamp}.${body}`, key));
  });

  it('is content with every 2xx, may ask again after some, not after others, and never follows', async () => {
    await using receiver = await WebhookReceiver.start();
    const sending = (status: number): Promise<void> => {
      receiver.answer = (response) => response.writeHead(status, { location: receiver.url }).end('no');
      return send(receiver.sender(), receiver.url);
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

async function isLeft({ sockets }: WebhookReceiver): Promise<void> {
  await expect.poll(() => sockets.size).toBe(0);
}

const UPGRADE = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n';
const ENDLESS_HEADERS = `HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(20_000)}\r\n`;

describe('HttpsWebhookSender and a receiver that misbehaves', () => {
  it.each<[string, WebhookReceiver['answer'], object]>([
    ['answers nothing', () => undefined, { message: 'the receiver did not answer in time' }],
    ['cuts the connection', (_response, { socket }) => socket.destroy(), {}],
    ['speaks no HTTP', (_response, { socket }) => socket.end('220 smtp.example\r\n'), {}],
    ['sends headers without end', (_response, { socket }) => socket.end(ENDLESS_HEADERS), {}],
    [
      'breaks its answer off',
      (response) => response.writeHead(500, { 'content-length': '9' }).write('x', () => response.destroy()),
      { message: 'the receiver answered 500' },
    ],
    [
      'wants to speak something else',
      (_response, { socket }) => socket.write(UPGRADE),
      { kind: 'invalid_input', message: 'the receiver answered 101' },
    ],
  ])('has failed, and is left, when it %s', async (_what, answer, failure) => {
    await using receiver = await WebhookReceiver.start();
    receiver.answer = answer;
    expect(await failureFor(receiver, { timeoutMs: 500 })).toMatchObject({ kind: 'unavailable', ...failure });
    await isLeft(receiver);
  });

  it('ends when it is aborted, or the name is looked up for ever', async () => {
    await using receiver = await WebhookReceiver.start();
    const abort = new AbortController();
    receiver.answer = () => {
      abort.abort();
    };
    const to = { url: receiver.url, secret: SECRET };
    expect((await failureOf(receiver.sender().send(to, MESSAGE, abort.signal))).kind).toBe('unavailable');
    const addresses = { resolve: () => new Promise<never>(() => undefined), isAllowed: () => true };
    const failure = await refusalOf(`https://${RECEIVER}/`, { addresses, timeoutMs: 200 });
    expect(failure).toMatchObject({ kind: 'unavailable', message: 'the receiver did not answer in time' });
  });

  it('has taken a message when it drips, or sends without end: no more than 64 KiB are read', async () => {
    await using receiver = await WebhookReceiver.start();
    receiver.answer = (response) => response.writeHead(200, { 'content-length': '1000' }).write('x');
    await send(receiver.sender({ timeoutMs: 500 }), receiver.url);
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
    await send(receiver.sender(), receiver.url);
    await isLeft(receiver);
    // What the buffers of both sides held when the connection went.
    expect(written).toBeLessThan(32 * 1024 * 1024);
  });

  it('may be asked again when nobody listens, or the name is not known', async () => {
    const receiver = await WebhookReceiver.start();
    const { url } = receiver;
    const sender = receiver.sender();
    await receiver[Symbol.asyncDispose]();
    const gone = await failureOf(send(sender, url));
    expect(gone).toMatchObject({ kind: 'unavailable', message: "the receiver can't be reached: ECONNREFUSED" });

    const addresses = { resolve: () => Promise.reject(new Error('ENOTFOUND')), isAllowed: () => true };
    expect(await refusalOf(`https://${RECEIVER}/`, { addresses })).toMatchObject({ kind: 'unavailable' });
  });
});
