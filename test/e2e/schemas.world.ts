import { eventually } from '../support/eventually.js';
import type { TestClient } from '../support/test-client.js';

export interface Call {
  readonly path: string;
  readonly body?: object;
  /** Sent as a form instead of JSON. */
  readonly form?: readonly {
    readonly field: string;
    readonly name: string;
    readonly type: string;
    readonly text: string;
  }[];
}

/** What earlier calls made, under the names that later ones use. */
export type Made = Map<string, string>;

/** In its path and its body `<name>` stands for what an earlier call made under that name. */
export interface RouteCall extends Partial<Call> {
  /** With its path, unless another is given. */
  readonly route: string;
  /** What must have happened just before. When it is over too soon, which a 409 says, it is done again. */
  readonly first?: (made: Made, client: TestClient) => Promise<unknown>;
  /** Where the answer has what is kept under which name. */
  readonly keeps?: Readonly<Record<string, readonly string[]>>;
  /** Keeps what else the answer made, and waits for what happens in the background. */
  readonly then?: (body: Record<string, unknown>, made: Made, client: TestClient) => Promise<void> | void;
}

export function callOf({ route, path, body, form }: RouteCall, made: Made): Call {
  const filled = (text: string): string => text.replace(/<([a-z ]+)>/g, (_, name: string) => kept(made, name));
  const whole = path ?? `/${route.split(' ')[1]}`;
  const fill = (_: string, value: unknown): unknown => (typeof value === 'string' ? filled(value) : value);
  return {
    path: filled(whole),
    ...(body === undefined ? {} : { body: JSON.parse(JSON.stringify(body), fill) as object }),
    ...(form === undefined ? {} : { form }),
  };
}

export const ROWS = [
  'device,at,temperature,note',
  ...Array.from({ length: 48 }, (_, hour) => {
    const at = new Date(Date.UTC(2024, 0, 1, hour)).toISOString().slice(0, 19).replace('T', ' ');
    return `d${hour % 3},${at},${(20 + hour / 10).toFixed(1)},${hour % 5 === 0 ? '' : 'fine'}`;
  }),
  'd9,not a time,1.0,rejected',
].join('\n');

export function csv(name: string): NonNullable<Call['form']> {
  return [{ field: 'file', name, type: 'text/csv', text: ROWS }];
}

export function kept(made: Made, name: string): string {
  const value = made.get(name);
  if (value === undefined) throw new Error(`no earlier call made ${name}`);
  return value;
}

/** Waits until an answer is as it should be. */
export async function until(client: TestClient, path: string, isGood: (text: string) => boolean): Promise<void> {
  await eventually(
    async () => JSON.stringify((await client.get(path)).body),
    (text) => isGood(text),
  );
}

export function field(body: Record<string, unknown>, ...names: readonly string[]): string {
  const value = names.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], body);
  if (typeof value !== 'string')
    throw new Error(`${names.join('.')} is no text: ${JSON.stringify(body).slice(0, 300)}`);
  return value;
}
