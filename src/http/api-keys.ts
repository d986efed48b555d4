import { SetMetadata } from '@nestjs/common';
import { AppError } from '../shared/app-error.js';
import type { Principal, Scope } from '../shared/principal.js';

/** Every key begins so; no token does. */
export const KEY_PREFIX = 'dk_';

export const KEY_SCOPE = 'key-scope';

/** What a key needs for a route: one of these scopes. None: no key may call it. */
export type KeyRule = readonly Scope[];

/**
 * What a key needs for a route, or for all of a controller. Without it, `read` for a GET and `write` for everything else; `none` keeps keys
 * out.
 */
export function KeyScope(...anyOf: readonly (Scope | 'none')[]): MethodDecorator & ClassDecorator {
  return SetMetadata(
    KEY_SCOPE,
    anyOf.filter((scope) => scope !== 'none'),
  );
}

export function keyRule(declared: KeyRule | undefined, method: string): KeyRule {
  return declared ?? [method === 'GET' ? 'read' : 'write'];
}

/** The key of an `Authorization: Bearer dk_…` header; null when it holds something else. */
export function keyIn(header: string | undefined): string | null {
  const token = /^bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? '';
  return token.startsWith(KEY_PREFIX) ? token : null;
}

export function scopeMissing(anyOf: KeyRule): AppError {
  return new AppError('forbidden', `forbidden: the API key needs the scope ${anyOf.join(' or ')}`);
}

/** Finds out who asks with a key. */
export abstract class KeyBearers {
  /** @throws AppError `unauthorized`: one answer to whatever is wrong with it. */
  abstract bearerOf(key: string): Promise<Principal>;
}
