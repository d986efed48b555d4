import { ApiProperty } from '@nestjs/swagger';
import type { FieldProblem } from '../shared/app-error.js';

/** What every JSON response carries. */
export class Envelope {
  /** True when the request failed, or was done in part only. */
  // By hand, to come first in the document: fields of `answerOf` are told by hand, too.
  @ApiProperty()
  readonly error!: boolean;
  /** A short status text, or what went wrong, in plain words. */
  @ApiProperty()
  readonly message!: string;
}

type ClassOf<T> = new () => T;
type FieldClass = ClassOf<object> | typeof String | typeof Number;
type ValueOf<C> = C extends typeof String
  ? string
  : C extends typeof Number
    ? number
    : C extends ClassOf<infer T>
      ? T
      : never;
type ValuesOf<F> = { readonly [N in keyof F]: F[N] extends readonly [infer C] ? ValueOf<C>[] : ValueOf<F[N]> };

/** The class of an answer with these fields beside those of every answer. One in brackets is a list. */
export function answerOf<F extends Readonly<Record<string, FieldClass | readonly [FieldClass]>>>(
  fields: F,
): ClassOf<Envelope & ValuesOf<F>> {
  class Answer extends Envelope {}
  for (const [name, given] of Object.entries(fields)) {
    const [type = Answer] = [given].flat();
    // By hand, since the plugin sees fields alone.
    ApiProperty({ type, isArray: Array.isArray(given) })(Answer.prototype, name);
  }
  return Answer as ClassOf<Envelope & ValuesOf<F>>;
}

/** What is wrong with one field of a request. */
export class FieldProblemView {
  readonly field!: string;
  /** In plain words, the name of the field included. */
  readonly problem!: string;
}

/** What every failure carries, whatever the route. */
export class FailureResponse extends Envelope {
  /** All that is wrong with the request; there when single fields are. */
  readonly details?: FieldProblemView[];
}

/** The envelope of a success, with the endpoint's own fields. */
export function ok<T extends object>(message: string, fields?: T): Envelope & T {
  return { error: false, message, ...(fields ?? ({} as T)) };
}

/** The envelope of a failure. */
export function failed(
  message: string,
  details: readonly FieldProblem[] = [],
): Envelope & { details?: readonly FieldProblem[] } {
  return details.length === 0 ? { error: true, message } : { error: true, message, details };
}

type Snake<S extends string> = S extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : S;

type Told<V> = V extends Date ? string : V extends readonly (infer E)[] ? Told<E>[] : V;

/** These fields of a thing as the wire has them: their names in snake case, times in ISO 8601, lists as copies. */
export function onWire<T extends object, N extends keyof T & string>(
  thing: T,
  ...names: readonly N[]
): { readonly [K in N as Snake<K>]: Told<T[K]> } {
  const fields = names.map((name) => [snake(name), told(thing[name])]);
  return Object.fromEntries(fields) as { readonly [K in N as Snake<K>]: Told<T[K]> };
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function told(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? value.map(told) : value;
}
