import { t } from '@lingui/core/macro';
import type { Datasource } from '../../../shared/wire.js';
import type { Column } from '../wizard/columns.js';

/** Where each column of a file goes: a column of the datasource, or null when it is not taken. */
export type Mapping = Readonly<Record<string, string | null>>;

export function columnsOfTable({ config }: Datasource): readonly string[] {
  return [...new Set(config.columns.flat())];
}

/** Where the service puts it by itself. */
function byName(column: string, { config }: Datasource, names: readonly string[]): string | null {
  const alike = (one: string) => (other: string) => one.toLowerCase() === other.toLowerCase();
  const renamed = config.column_changes.find((change) => alike(column)(change.column))?.name ?? column;
  return names.find(alike(renamed)) ?? names.find(alike(column)) ?? null;
}

/** By name, and what is left by names that differ in blanks and signs alone. */
export function proposed(columns: readonly Column[], datasource: Datasource): Mapping {
  const names = columnsOfTable(datasource);
  const exact = columns.map(({ name }) => [name, byName(name, datasource, names)] as const);
  const taken = new Set(exact.map(([, to]) => to));
  const free = names.filter((name) => !taken.has(name));
  const bare = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return Object.fromEntries(
    exact.map(([name, to]) => [name, to ?? free.find((one) => bare(one) === bare(name)) ?? null]),
  );
}

/** Columns that the reader should look at: those that have no column of the same name. */
export function differing(columns: readonly Column[], datasource: Datasource): readonly Column[] {
  const names = columnsOfTable(datasource);
  return columns.filter(({ name }) => byName(name, datasource, names) === null);
}

/** What the service has to be told. */
export function mappingOf(columns: readonly Column[], mapping: Mapping, datasource: Datasource) {
  const names = columnsOfTable(datasource);
  return columns.flatMap(({ name: column }) => {
    const to = mapping[column] ?? null;
    return to === byName(column, datasource, names) ? [] : [{ column, to }];
  });
}

/** What keeps the file from being added; null: nothing. */
export function mappingProblem(mapping: Mapping, { config }: Datasource): string | null {
  const taken = Object.values(mapping).filter((to) => to !== null);
  const twice = taken.find((to, at) => taken.indexOf(to) !== at);
  if (twice !== undefined) return t`Two columns of the file go to “${twice}”.`;
  const needed = [config.metafield, ...(config.is_timeseries ? [config.timefield] : [])];
  const lacking = needed.find((name) => !taken.includes(name));
  return lacking === undefined ? null : t`Choose which column is “${lacking}”.`;
}
