import { timingSafeEqual } from 'node:crypto';
import { KEY_PREFIX } from '../../http/api-keys.js';
import { asId, type ApiKeyId } from '../../shared/ids.js';
import { secretHash } from '../../shared/secret-hash.js';

/** What a program sends: the key's id, and 256 random bits. */
export interface KeyText {
  readonly id: ApiKeyId;
  readonly secret: string;
}

const FORM = new RegExp(`^${KEY_PREFIX}([0-9a-f]{24})_([0-9a-f]{64})$`);

export function writtenKey({ id, secret }: KeyText): string {
  return `${KEY_PREFIX}${id}_${secret}`;
}

/** Null: nothing that we have made. */
export function readKey(text: string): KeyText | null {
  const [, id, secret] = FORM.exec(text) ?? [];
  return id === undefined || secret === undefined ? null : { id: asId(id), secret };
}

/** In the same time, whatever the difference. */
export function isSecretOf(hash: string, secret: string): boolean {
  const [stored, given] = [Buffer.from(hash, 'hex'), Buffer.from(secretHash(secret), 'hex')];
  return stored.length === given.length && timingSafeEqual(stored, given);
}
