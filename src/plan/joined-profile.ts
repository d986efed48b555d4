import type { AnalysisPlan } from '../ports/analysis-plan.js';
import type { JoinedBriefing, TableBriefing } from '../ports/chat-model.js';
import { type JoinCount, MAIN_TABLE, type TableProfile } from '../ports/table.js';
import { AppError } from '../shared/app-error.js';
import { numberWords } from '../shared/number-words.js';
import { joinedNames, visibleNames } from './visible-names.js';

type Joinable = Pick<TableBriefing, 'profile' | 'joined'>;

/** What is known of the columns that a plan may name: those of its table and of the one that it joins. @throws AppError `invalid_input` */
export function profileFor({ join }: AnalysisPlan, { profile, joined = [] }: Joinable): TableProfile {
  if (join === undefined) return profile;
  const other = joined.find(({ relation }) => relation === join.relation);
  if (other !== undefined) return joinedProfile(profile, { ...other, table: join.table });
  const problem = noRelationTo(join.table);
  throw new AppError('invalid_input', `plan.join: ${problem}`, { details: [{ field: 'plan.join', problem }] });
}

export function noRelationTo(table: string): string {
  return `there is no confirmed relation along which ${table.slice(0, 100)} can be joined here`;
}

/** As if each row had the columns of the one that belongs to it, too. Rows, time and what a row is about are the table's own. */
export function joinedProfile(
  profile: TableProfile,
  { table, profile: other }: Pick<JoinedBriefing, 'table' | 'profile'>,
): TableProfile {
  const [own, its] = [profile, other].map(({ columns }) => visibleNames(columns.map(({ name }) => name)));
  const names = joinedNames(own ?? [], its ?? [], table);
  const added = other.columns.map((column, at) => ({ ...column, name: names[at] ?? column.name }));
  const measures = added.filter((_, at) => other.values.includes(other.columns[at]?.name ?? ''));
  return {
    ...profile,
    columns: [...profile.columns, ...added],
    values: [...profile.values, ...measures.map(({ name }) => name)],
  };
}

/** Counts of joins under the names of the datasources. */
export function namedJoins(
  joins: readonly JoinCount[] = [],
  { name, joined = [] }: Pick<TableBriefing, 'name' | 'joined'>,
): readonly JoinCount[] {
  const nameOf = (table: string): string =>
    table === MAIN_TABLE ? name : (joined.find((one) => one.table === table)?.name ?? table);
  return joins.map((count) => ({ ...count, left: nameOf(count.left), right: nameOf(count.right) }));
}

/** What who reads figures over joined rows has to know: rows that count several times, and rows without a partner. */
export function joinCautions(joins: readonly JoinCount[]): readonly string[] {
  return joins.flatMap(({ left, right, of, rows, alone }) => [
    ...(rows > of
      ? [
          `A row of ${left} can belong to several rows of ${right}: joined, its ${numberWords(of)} rows become ${numberWords(rows)}, and figures count some of them more than once.`,
        ]
      : []),
    ...(alone > 0 ? [`${numberWords(alone)} of ${numberWords(of)} rows of ${left} have no row in ${right}.`] : []),
  ]);
}
