import { createHash } from 'node:crypto';

/** SHA-256 of a secret that is random and long: nothing slower is needed. 64 hexadecimal digits. */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
