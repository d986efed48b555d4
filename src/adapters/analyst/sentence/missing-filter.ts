import type { Filter } from '../../../ports/analysis-plan.js';
import type { ColumnFacts } from '../column-facts.js';

/** What people write where they have no value, and an import takes for a text. */
const MARKER =
  /^(?:na|n\/a|n\.a\.|n\.?k\.?|nan|null|nil|missing|unknown|unspecified|undefined|not (?:known|available|recorded|stated|given|specified)|no data|\?+|-+|–|\.+)$/i;

/** The condition that a row has no value in a column, or where it is denied that it has one: an empty cell, or one that says so. */
export function missingFilters({ name, profile, role }: ColumnFacts, negated: boolean): readonly Filter[] {
  const markers =
    role === 'category' ? profile.topValues.map(({ value }) => value).filter((one) => MARKER.test(one)) : [];
  const empty = { kind: 'null', column: name, negated } as const;
  if (markers.length === 0) return [empty];
  const marked = { kind: 'in', column: name, values: markers, negated } as const;
  if (profile.nulls === 0) return [marked];
  return negated ? [empty, marked] : [{ kind: 'any', of: [[empty], [marked]] }];
}

/** Whether some rows lack a value. */
export function lacksSome(column: ColumnFacts): boolean {
  const [only] = missingFilters(column, false);
  return column.profile.nulls > 0 || only?.kind !== 'null';
}
