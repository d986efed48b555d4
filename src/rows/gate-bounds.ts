import { isRecord } from '../shared/json.js';
import { LIST_AGGREGATES } from './gate-functions.js';

const MOST_REPEATS = 1000;
const MOST_LISTED = 100_000;
const MOST_BRACKETS = 50;
const MOST_ROWS = 1_000_000;
const DAY_MS = 86_400_000;
/** With steps as long as this, times of the data may bound a series: the years that data have make no list that is too long. */
const SHORTEST_STEP_MS = 60_000;
const WHOLE = /^U?(TINY|SMALL|BIG)?INT(EGER)?$/;
const STRUCTURE = /^[\w\s"'[\]{}:,().-]*$/;

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

type Check = (name: string, args: readonly unknown[], asTable: boolean) => string | null;

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ...each('format printf', formatProblem),
  ...each('range generate_series', seriesProblem),
  ...each('from_json from_json_strict json_transform json_transform_strict', structureProblem),
  ...each('aggregate list_aggregate list_aggr array_aggregate array_aggr', aggregateProblem),
]);

function each(names: string, check: Check): readonly (readonly [string, Check])[] {
  return names.split(' ').map((name) => [name, check]);
}

/** Why a call of one of the bounded functions is not allowed; null when it is. */
export function boundProblem(name: string, args: readonly unknown[], asTable: boolean): string | null {
  return (CHECKS.get(name) ?? lengthProblem)(name, args, asTable);
}

function lengthProblem(name: string, args: readonly unknown[]): string | null {
  const length = args[LENGTH_ARGUMENT.get(name) ?? 1];
  const isFine = length === undefined ? name === 'bar' : withinRepeats(constantNumber(length) ?? mostOf(length));
  return isFine
    ? null
    : `${name}() is only allowed with a size of at most ${MOST_REPEATS}: a constant, or least(…, ${MOST_REPEATS})`;
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

/** The second argument is a type, written as JSON. */
function structureProblem(name: string, [, structure]: readonly unknown[]): string | null {
  const text = constantText(structure);
  return text !== null && isPlainStructure(text) ? null : `${name}() is only allowed with a constant structure`;
}

/** Each bracket is a level of the type, and of whoever reads its values. */
function isPlainStructure(text: string): boolean {
  return STRUCTURE.test(text) && (text.match(/[[{(]/g) ?? []).length <= MOST_BRACKETS;
}

/** It calls the function that the text names. */
function aggregateProblem(name: string, [, called]: readonly unknown[]): string | null {
  const text = constantText(called)?.toLowerCase();
  return text !== undefined && LIST_AGGREGATES.has(text)
    ? null
    : `${name}() is only allowed with the constant name of an aggregate function`;
}

function seriesProblem(name: string, args: readonly unknown[], asTable: boolean): string | null {
  const most = asTable ? MOST_ROWS : MOST_LISTED;
  const elements = numberCount(args) ?? timeCount(args);
  if (elements === null) return stepsInTime(args) ? null : `${name}() is only allowed with ${BOUNDS}`;
  return elements <= most ? null : `${name}() is only allowed up to ${most} elements`;
}

/** Said to who has to write it anew. */
const BOUNDS = 'constant bounds, such as least(…, 1000), or between times in constant steps of a minute or longer';

function numberCount(args: readonly unknown[]): number | null {
  const [first, second] = args.length === 1 ? [0, args[0]] : [constantNumber(args[0]), args[1]];
  const step = args.length < 3 ? 1 : constantNumber(args[2]);
  return first === null || step === null || step === 0 ? null : elementsBetween(first, second, step);
}

function elementsBetween(start: number, end: unknown, step: number): number | null {
  const stop = constantNumber(end);
  if (stop !== null) return Math.abs(stop - start) / Math.abs(step);
  // How far below its limit the end lies is unknown, so it must not be walked to downwards.
  const most = mostOf(end);
  return most === null || step < 0 ? null : Math.max(most - start, 0) / step;
}

/** What `least(…, 1000)` can be at most, also as a whole number. */
function mostOf(node: unknown): number | null {
  if (!isRecord(node)) return null;
  if (node['class'] === 'CAST') return isRecord(node['cast_type']) ? mostOfCast(node, node['cast_type']) : null;
  if (node['class'] !== 'FUNCTION' || node['function_name'] !== 'least') return null;
  const parts: readonly unknown[] = Array.isArray(node['children']) ? node['children'] : [];
  const limits = parts.map(constantNumber).filter((limit) => limit !== null);
  return limits.length === 0 ? null : Math.min(...limits);
}

function mostOfCast(node: Record<string, unknown>, type: Record<string, unknown>): number | null {
  return WHOLE.test(String(type['id'])) ? mostOf(node['child']) : null;
}

function stepsInTime(args: readonly unknown[]): boolean {
  const step = constantInterval(args[2]);
  return step !== null && Math.abs(step) >= SHORTEST_STEP_MS;
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
  if (constant === null || !WHOLE.test(constant.type)) return null;
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
