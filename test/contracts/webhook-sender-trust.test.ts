import { describe, expect, it } from 'vitest';
import { PUBLIC_ADDRESSES } from '../../src/adapters/network/checked-addresses.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { failureFor, MESSAGE, PATIENT, refusalOf, SECRET } from './webhook-sender.fixture.js';

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
