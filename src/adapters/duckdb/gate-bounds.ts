import { isRecord } from '../../shared/json.js';

const MOST_REPEATS = 1000;
const MOST_LISTED = 100_000;
const MOST_ROWS = 1_000_000;
const DAY_MS = 86_400_000;

/** Milliseconds in one of each unit, the shortest it can have. */
const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['second', 1000],
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', DAY_MS],
  ['week', 7 * DAY_MS],
  ['month', 28 * DAY_MS],
  ['quarter', 90 * DAY_MS],
  ['year', 365 * DAY_MS],
]);

/** Which argument of these says how long the text becomes. */
const LENGTH_ARGUMENT: ReadonlyMap<string, number> = new Map([
  ['repeat', 1],
  ['lpad', 1],
  ['rpad', 1],
  ['bar', 3],
  ['equi_width_bins', 2],
]);

/** Why a call of one of the bounded functions is not allowed; null when it is. */
export function boundProblem(name: string, args: readonly unknown[], asTable: boolean): string | null {
  if (name === 'format' || name === 'printf') return formatProblem(name, args);
  if (name === 'range' || name === 'generate_series') return seriesProblem(name, args, asTable);

  const length = args[LENGTH_ARGUMENT.get(name) ?? 1];
  const isFine = length === undefined ? name === 'bar' : withinRepeats(constantNumber(length));
  return isFine ? null : `${name}() is only allowed with a constant size of at most ${MOST_REPEATS}`;
}

function withinRepeats(length: number | null): boolean {
  return length !== null && length <= MOST_REPEATS;
}

/** A width can make a text of any length, and `*` or a nested brace takes it from the data. */
function formatProblem(name: string, args: readonly unknown[]): string | null {
  const layout = constantText(args[0]);
  const isFine = layout !== null && !/\d{4,}|\*|\{[^}]*\{/.test(layout);
  return isFine ? null : `${name}() is only allowed with a constant layout and widths below 1000`;
}

function seriesProblem(name: string, args: readonly unknown[], asTable: boolean): string | null {
  const most = asTable ? MOST_ROWS : MOST_LISTED;
  const elements = numberCount(args) ?? timeCount(args);
  if (elements === null) return `${name}() is only allowed with constant bounds`;
  return elements <= most ? null : `${name}() is only allowed up to ${most} elements`;
}

function numberCount(args: readonly unknown[]): number | null {
  const [first, second, third] = args.map(constantNumber);
  if (typeof first !== 'number' || second === null || third === null) return null;
  const [start, stop, step] = second === undefined ? [0, first, 1] : [first, second, third ?? 1];
  return step === 0 ? null : Math.abs(stop - start) / Math.abs(step);
}

function timeCount(args: readonly unknown[]): number | null {
  const [start, stop] = [constantTime(args[0]), constantTime(args[1])];
  const step = constantInterval(args[2]);
  if (start === null || stop === null || step === null || step === 0) return null;
  return Math.abs(stop - start) / Math.abs(step);
}

/** The value of a whole constant, also one written with a minus; null for everything else. */
function constantNumber(node: unknown): number | null {
  if (!isRecord(node)) return null;
  if (node['class'] === 'FUNCTION' && node['function_name'] === '-') return negated(node['children']);
  const constant = constantOf(node);
  if (constant === null || !/^U?(TINY|SMALL|BIG)?INT(EGER)?$/.test(constant.type)) return null;
  return typeof constant.value === 'number' ? constant.value : null;
}

function negated(children: unknown): number | null {
  if (!Array.isArray(children) || children.length !== 1) return null;
  const value = constantNumber(children[0]);
  return value === null ? null : -value;
}

function constantText(node: unknown): string | null {
  const constant = constantOf(node);
  return constant?.type === 'VARCHAR' && typeof constant.value === 'string' ? constant.value : null;
}

function constantTime(node: unknown): number | null {
  const text = castText(node, /^(DATE|TIMESTAMP.*)$/);
  const at = text === null ? Number.NaN : Date.parse(text.trim().replace(' ', 'T'));
  return Number.isNaN(at) ? null : at;
}

/** Milliseconds of `INTERVAL 1 HOUR`, which is parsed to a call of `to_hours`, or of `INTERVAL '1 hour'`. */
function constantInterval(node: unknown): number | null {
  const text = castText(node, /^INTERVAL$/);
  if (text !== null) return textInterval(text);
  if (!isRecord(node) || node['class'] !== 'FUNCTION' || !Array.isArray(node['children'])) return null;
  const name = String(node['function_name']).replace(/^to_(.*?)s?$/, '$1');
  const count = constantNumber(unwrapped(node['children'][0]));
  return count === null ? null : unitMs(count, name);
}

function textInterval(text: string): number | null {
  const [, amount, unit] = /^\s*(-?\d+)\s*([a-z]+?)s?\s*$/i.exec(text) ?? [];
  return unit === undefined ? null : unitMs(Number(amount), unit.toLowerCase());
}

function unitMs(amount: number, unit: string): number | null {
  const length = UNIT_MS.get(unit);
  return length === undefined ? null : amount * length;
}

/** The parser wraps the number of an interval into casts and `trunc`. */
function unwrapped(node: unknown): unknown {
  if (!isRecord(node)) return node;
  if (node['class'] === 'CAST') return unwrapped(node['child']);
  const children = node['children'];
  return node['function_name'] === 'trunc' && Array.isArray(children) ? unwrapped(children[0]) : node;
}

function castText(node: unknown, type: RegExp): string | null {
  if (!isRecord(node) || node['class'] !== 'CAST' || !isRecord(node['cast_type'])) return null;
  return type.test(String(node['cast_type']['id'])) ? constantText(node['child']) : null;
}

function constantOf(node: unknown): { readonly type: string; readonly value: unknown } | null {
  if (!isRecord(node) || node['class'] !== 'CONSTANT' || !isRecord(node['value'])) return null;
  const { type, value } = node['value'];
  return isRecord(type) ? { type: String(type['id']), value } : null;
}
