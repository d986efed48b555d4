import { MAIN_TABLE } from '../../../ports/table.js';

const LONGEST = 40;
/** Words of SQL that name no table without quotes. */
export const RESERVED: ReadonlySet<string> = new Set(
  (
    'all analyse analyze and anti any array as asc asof asymmetric at authorization binary both by case cast check collate collation column ' +
    'concurrently constraint create cross current default deferrable desc describe distinct do else end except exists false fetch for foreign ' +
    'freeze from full generated glob grant group having ilike in initially inner intersect into is isnull join lambda lateral leading left ' +
    'like limit map natural not notnull null of offset on only or order outer overlaps pivot pivot_longer pivot_wider placing positional ' +
    'primary qualify references returning right row rows select semi show similar some struct summarize symmetric table tablesample then ' +
    'to trailing true try_cast union unique unpivot using values variadic verbose when where window with'
  ).split(' '),
);
/** Views of the engine are called so. */
const OF_ENGINE = /^(?:duckdb|sqlite|pg|pragma|information)_/;

/** What statements call datasources: their names in small letters, digits and `_`, no two alike. */
export function statementNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>([MAIN_TABLE]);
  return names.map((name) => {
    const plain = plainName(name);
    let free = plain;
    for (let number = 2; taken.has(free); number++) free = `${plain}_${number}`;
    taken.add(free);
    return free;
  });
}

function plainName(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/\.(?:csv|xlsx|parquet|json|tsv|txt)$/, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, LONGEST);
  const isFree = /^[a-z]/.test(words) && !RESERVED.has(words) && !OF_ENGINE.test(words);
  return isFree ? words : `table_${words}`.replace(/_$/, '');
}
