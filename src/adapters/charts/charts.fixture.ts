import type { ChartRequest } from '../../ports/chart-renderer.js';
import { result } from '../../ports/plans.fixture.js';
import type { JsonObject, JsonValue } from '../../shared/json.js';

export const aResult = result;

export function aRequest(wanted: Partial<ChartRequest>): ChartRequest {
  return { kind: 'bar', x: 'k', y: 'n', series: null, title: 'Title', xTitle: null, yTitle: null, ...wanted };
}

/** Two groups with a figure each. */
export const PAIRS = result({ k: 'text', n: 'integer' }, Object.entries({ a: 1, b: 2 }));

export const MONTHS = Array.from({ length: 48 }, (_, month) => new Date(Date.UTC(2012, month)).toISOString());
/** A figure for each of these 48 months. */
export const MONTHLY = result(
  { month: 'time', n: 'number' },
  MONTHS.map((month, index) => [month, 10 + (index % 12)]),
);

/** The part at a path, for looking into a specification. */
export function at(specification: JsonObject, ...path: readonly (string | number)[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (part, key) => (typeof part === 'object' && part !== null ? (part as Record<string, JsonValue>)[key] : undefined),
    specification,
  );
}

export function valuesOf(specification: JsonObject): readonly Record<string, JsonValue>[] {
  return at(specification, 'data', 'values') as readonly Record<string, JsonValue>[];
}
