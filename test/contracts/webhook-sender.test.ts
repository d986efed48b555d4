import { createHmac } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { PUBLIC_ADDRESSES } from '../../src/adapters/network/checked-addresses.js';
import { HttpsWebhookSender, type SenderOptions } from '../../src/adapters/webhooks/https-webhook-sender.js';
import type { WebhookMessage } from '../../src/ports/webhook-sender.js';
import { type AppError, isAppError } from '../../src/shared/app-error.js';
import { eventually } from '../support/eventually.js';
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
  const error: unknown = await sending.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!isAppError(error)) throw new Error(`no AppError: ${String(error)}`);
  return error;
}

/** How a message to this address fails with the rules of production. */
function refusalOf(url: string, options: SenderOptions = {}): Promise<AppError> {
  return failureOf(new HttpsWebhookSender(options).send({ url, secret: SECRET }, MESSAGE, PATIENT));
}

/** How a message to the receiver fails. */
function failureFor(receiver: WebhookReceiver, options: SenderOptions = {}): Promise<AppError> {
  return failureOf(receiver.sender(options).send({ url: receiver.url, secret: SECRET }, MESSAGE, PATIENT));
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
  it('does not speak to who has no certificate for the name', async () => {
    await using receiver = await WebhookReceiver.start('other.example');
    const failure = await failureFor(receiver);
    expect(failure.message).toBe("the receiver can't be reached: ERR_TLS_CERT_ALTNAME_INVALID");
    expect(receiver.received).toEqual([]);
  });

  it('does not speak to who signed the own certificate', async () => {
    await using receiver = await WebhookReceiver.start();
    const addresses = { resolve: loopback, isAllowed: () => true };
    const failure = await refusalOf(receiver.url, { addresses });
    expect(failure.message).toBe("the receiver can't be reached: DEPTH_ZERO_SELF_SIGNED_CERT");
    expect(receiver.received).toEqual([]);
  });

  it('refuses what is not https, or holds credentials', async () => {
    const refusal = { kind: 'invalid_input', message: 'the address of the receiver must be https' };
    for (const url of ['http://receiver.example/', 'file:///etc/passwd', 'receiver.example', '', 'https://'])
      expect(await refusalOf(url), url).toMatchObject(refusal);
    for (const url of ['https://ada@receiver.example/', 'https://:secret@receiver.example/'])
      expect(await refusalOf(url), url).toMatchObject({ kind: 'invalid_input' });
  });

  it.each(OUR_OWN)('refuses %s, which is not on the public internet', async (host) => {
    expect(await refusalOf(`https://${host}/`)).toMatchObject({
      kind: 'invalid_input',
      message: 'the receiver is not on the public internet',
    });
  });

  it('refuses a name that leads to a machine of ours, be it one of several', async () => {
    const own = { ...PUBLIC_ADDRESSES, resolve: loopback };
    expect((await refusalOf('https://hooks.example.com/', { addresses: own })).kind).toBe('invalid_input');
    await using receiver = await WebhookReceiver.start();
    const answers = [
      { address: '93.184.216.34', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    const addresses = { resolve: () => Promise.resolve(answers), isAllowed: (one: string) => one !== '127.0.0.1' };
    const failure = await refusalOf(receiver.url, { addresses, ca: receiver.certificate.cert });
    expect(failure.message).toBe('the receiver is not on the public internet');
    expect(receiver.received).toEqual([]);
  });

  it('connects to the address that was checked, whatever the name says the next time', async () => {
    await using receiver = await WebhookReceiver.start();
    let asked = 0;
    const resolve = (): Promise<{ address: string; family: number }[]> => {
      asked += 1;
      return Promise.resolve([{ address: asked === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]);
    };
    const addresses = { resolve, isAllowed: (address: string) => address === '127.0.0.1' };
    const sender = receiver.sender({ addresses });
    await sender.send({ url: receiver.url, secret: SECRET }, MESSAGE, PATIENT);
    expect({ asked, received: receiver.received.length }).toEqual({ asked: 1, received: 1 });
  });
});

function loopback(): Promise<{ address: string; family: number }[]> {
  return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
}

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
