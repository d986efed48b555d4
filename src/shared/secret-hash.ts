import { timingSafeEqual } from 'node:crypto';
import { sha256 } from './checksum.js';

/** SHA-256 of a secret that is random and long: nothing slower is needed. 64 hexadecimal digits. */
export function secretHash(secret: string): string {
  return sha256(secret);
}

/** Whether the hash is of this secret; in the same time, whatever the difference. */
export function isSecretOf(hash: string, secret: string): boolean {
  const [known, given] = [Buffer.from(hash), Buffer.from(secretHash(secret))];
  return known.length === given.length && timingSafeEqual(known, given);
}
