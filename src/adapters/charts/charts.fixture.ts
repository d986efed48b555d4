import type { ChartRequest } from '../../ports/chart-renderer.js';
import type { JsonObject, JsonValue } from '../../shared/json.js';

export { result as aResult } from '../../ports/plans.fixture.js';

export function aRequest(wanted: Partial<ChartRequest>): ChartRequest {
  return { kind: 'bar', x: 'k', y: 'n', series: null, title: 'Title', xTitle: null, yTitle: null, ...wanted };
}

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
