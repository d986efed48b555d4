import { applyDecorators, HttpCode, Post, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiForbiddenResponse } from '@nestjs/swagger';
import type { Principal, Role, Scope } from '../shared/principal.js';
import type { Reflector } from '@nestjs/core';
import { AppError } from '../shared/app-error.js';
import type { FastifyRequest } from 'fastify';

/** Who may call a route: anybody, or whoever has a valid token and at least this role. */
export type AccessRule = 'public' | Role;

const ACCESS_RULE = 'access-rule';

/** Every route, or its controller, declares its rule; the service does not start otherwise. The API document says it too. */
export function Access(rule: AccessRule): MethodDecorator & ClassDecorator {
  if (rule === 'public') return SetMetadata(ACCESS_RULE, rule);
  const forbidden = ApiForbiddenResponse({ description: `The caller's role is below \`${rule}\`.` });
  return applyDecorators(SetMetadata(ACCESS_RULE, rule), ApiBearerAuth(), ...(rule === 'user' ? [] : [forbidden]));
}

/** A POST that answers 200, as all of the API do: what it makes is told in the body. */
export function PostOk(path = ''): MethodDecorator {
  return applyDecorators(Post(path), HttpCode(200));
}

/** The name that the strategy which finds out who asks has at Passport. */
export const TOKEN_STRATEGY = Symbol('token strategy');

/** Every key begins so; no token does. */
export const KEY_PREFIX = 'dk_';

const KEY_SCOPE = 'key-scope';

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

type Declared = readonly [handler: Parameters<Reflector['get']>[1], controller: Parameters<Reflector['get']>[1]];

/** Null: the route declares none. */
export function accessRuleOf(reflector: Reflector, declared: Declared): AccessRule | null {
  return reflector.getAllAndOverride<AccessRule | undefined>(ACCESS_RULE, [...declared]) ?? null;
}

export function keyRuleOf(reflector: Reflector, declared: Declared, method: string): KeyRule {
  const rule = reflector.getAllAndOverride<KeyRule | undefined>(KEY_SCOPE, [...declared]);
  return rule ?? [isLook(method) ? 'read' : 'write'];
}

/** A method that asks for something and changes nothing; a HEAD is a GET whose answer has no body. */
export function isLook(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** The key of an `Authorization: Bearer dk_…` header; null when it holds something else. */
export function keyIn(header: string | undefined): string | null {
  const token = bearerToken(header);
  return token?.startsWith(KEY_PREFIX) === true ? token : null;
}

/** The token of an `Authorization: Bearer …` header; null when it is none. */
export function bearerToken(header: string | undefined): string | null {
  return /^bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? null;
}

/** One answer to whatever is wrong with a token or a key, so that nobody learns which. */
export function invalidToken(): AppError {
  return new AppError('unauthorized', 'unauthorized - invalid token');
}

export function scopeMissing(anyOf: KeyRule): AppError {
  return new AppError('forbidden', `forbidden: the API key needs the scope ${anyOf.join(' or ')}`);
}

/** Finds out who asks with a key. */
export abstract class KeyBearers {
  /** @throws AppError `unauthorized`: one answer to whatever is wrong with it. */
  abstract bearerOf(key: string): Promise<Principal>;
}

/** Hears of requests that the role of who asks, or their key, does not allow. */
export abstract class Refusals {
  /** Nobody waits for it. */
  abstract tell(request: FastifyRequest, who: Principal): void;
}
