import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';

/** A certificate that signs itself, made for one test run. */
export interface ThrowAwayCertificate {
  readonly cert: string;
  readonly key: string;
}

const ECDSA_WITH_SHA256 = sequence(objectId(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
const COMMON_NAME = objectId(0x55, 0x04, 0x03);
const SUBJECT_ALTERNATIVE_NAME = objectId(0x55, 0x1d, 0x11);
const DAY_MS = 86_400_000;

/** Valid for these names, and now alone; written as X.509 has it, so that no tool has to be there. */
export function throwAwayCertificate(...names: readonly string[]): ThrowAwayCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const toBeSigned = tbsCertificate(names, publicKey);
  const signature = sign('sha256', toBeSigned, privateKey);
  const der = sequence(toBeSigned, ECDSA_WITH_SHA256, bitString(signature));
  return { cert: pem('CERTIFICATE', der), key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

function tbsCertificate(names: readonly string[], publicKey: KeyObject): Buffer {
  const name = sequence(element(0x31, sequence(COMMON_NAME, element(0x0c, Buffer.from(names[0] ?? 'test')))));
  const now = Date.now();
  const alternatives = sequence(...names.map(alternativeName));
  return sequence(
    element(0xa0, element(0x02, Buffer.from([2]))),
    element(0x02, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    name,
    sequence(utcTime(now - DAY_MS), utcTime(now + DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, sequence(sequence(SUBJECT_ALTERNATIVE_NAME, element(0x04, alternatives)))),
  );
}

/** A name of DNS, or an address of version 4. */
function alternativeName(name: string): Buffer {
  return isIP(name) === 4 ? element(0x87, Buffer.from(name.split('.').map(Number))) : element(0x82, Buffer.from(name));
}

/** Tag, length, contents: what all of X.509 is made of. */
function element(tag: number, ...contents: readonly Buffer[]): Buffer {
  const body = Buffer.concat(contents);
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

function sequence(...contents: readonly Buffer[]): Buffer {
  return element(0x30, ...contents);
}

function objectId(...bytes: readonly number[]): Buffer {
  return element(0x06, Buffer.from(bytes));
}

function bitString(bytes: Buffer): Buffer {
  return element(0x03, Buffer.from([0]), bytes);
}

function utcTime(at: number): Buffer {
  return element(0x17, Buffer.from(`${new Date(at).toISOString().slice(2, 19).replace(/[-T:]/g, '')}Z`));
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
