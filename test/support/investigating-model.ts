import type { DoubleCall, DoubleRequestBody, DoubleStep } from './openai-double.js';

/** A datasource as the prompt describes it. */
interface Described {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

interface Result {
  readonly purpose: string;
  readonly rows: readonly (readonly (string | number | null)[])[];
}

/**
 * A model that investigates a fall of revenue as a person would, round by round: it knows the tables from the prompt, and figures from
 * what its own calls gave back. It has no other knowledge of the rows.
 */
export function investigating(body: DoubleRequestBody): DoubleStep {
  const [sales, troubles] = describedIn(body);
  if (sales === undefined || troubles === undefined) return { content: 'There are no tables to look at.' };
  const results = resultsIn(body);
  const months = results.get('revenue by month');
  if (months === undefined) return { calls: [plan(['Find the month of the fall']), byMonth(sales)] };
  const fall = fallIn(months);
  const texts = sales.columns.filter(({ type }) => type === 'text').map(({ name }) => name);
  if (!results.has(`revenue by ${texts[0] ?? ''}`)) {
    const steps = [`Hold ${fall.month} against ${fall.before}, by ${texts.join(', ')}`, 'Look for the cause elsewhere'];
    return { calls: [plan(steps), ...texts.map((column) => byGroup(sales, column, fall))] };
  }
  const worst = texts
    .flatMap((column) => lossesIn(column, results.get(`revenue by ${column}`)))
    .toSorted((a, b) => b.loss - a.loss)[0];
  if (worst === undefined) return { content: 'No group lost revenue.' };
  const measures = troubles.columns.filter(({ type }) => type === 'integer').map(({ name }) => name);
  const found = results.get('troubles');
  if (found === undefined)
    return { calls: [plan([`Look what rose for ${worst.group}`]), troublesOf(troubles, worst, fall, measures)] };
  return { content: conclusion({ fall, worst, measures, found }) };
}

interface Fall {
  readonly month: string;
  readonly before: string;
  readonly revenue: number;
  readonly revenueBefore: number;
}

interface Loss {
  readonly column: string;
  readonly group: string;
  readonly now: number;
  readonly before: number;
  readonly loss: number;
}

function conclusion(told: {
  readonly fall: Fall;
  readonly worst: Loss;
  readonly measures: readonly string[];
  readonly found: Result;
}): string {
  const { fall, worst, measures, found } = told;
  const rose = measures
    .map((name, at) => {
      const of = (month: string): number => Number(found.rows.find((row) => monthOf(row[0]) === month)?.[at + 1]);
      return { name, now: of(fall.month), before: of(fall.before) };
    })
    .toSorted((a, b) => b.now / b.before - a.now / a.before)[0];
  return [
    `**${worst.group}** is behind it: in ${fall.month} the revenue fell from ${fall.revenueBefore} to ${fall.revenue}.`,
    `Of ${worst.group} (${worst.column}) it fell from ${worst.before} to ${worst.now}, more than of any other group.`,
    `At the same time its ${rose?.name ?? ''} rose from ${rose?.before ?? ''} to ${rose?.now ?? ''}.`,
  ].join('\n\n');
}

function fallIn({ rows }: Result): Fall {
  const falls = rows.slice(1).map((row, at) => ({ row, last: rows[at] ?? row }));
  const worst = falls.toSorted(
    (a, b) => Number(a.row[1]) - Number(a.last[1]) - (Number(b.row[1]) - Number(b.last[1])),
  )[0];
  const { row, last } = worst ?? { row: [], last: [] };
  return { month: monthOf(row[0]), before: monthOf(last[0]), revenue: Number(row[1]), revenueBefore: Number(last[1]) };
}

function lossesIn(column: string, result: Result | undefined): readonly Loss[] {
  return (result?.rows ?? []).map(([group, before, now]) => {
    const [was, is] = [Number(before), Number(now)];
    return { column, group: String(group), now: is, before: was, loss: (was - is) / was };
  });
}

function byMonth({ name }: Described): DoubleCall {
  const sql = `SELECT strftime("day", '%Y-%m') AS month, round(avg(revenue), 2) AS revenue FROM data GROUP BY 1 ORDER BY 1`;
  return query(name, sql, 'revenue by month');
}

function byGroup({ name }: Described, column: string, { month, before }: Fall): DoubleCall {
  const of = (wanted: string): string => `round(avg(revenue) FILTER (WHERE strftime("day", '%Y-%m') = '${wanted}'), 2)`;
  const sql = `SELECT "${column}", ${of(before)} AS before, ${of(month)} AS now FROM data GROUP BY 1 ORDER BY 1`;
  return query(name, sql, `revenue by ${column}`);
}

function troublesOf({ name }: Described, { column, group }: Loss, fall: Fall, measures: readonly string[]): DoubleCall {
  const sums = measures.map((measure) => `sum("${measure}") AS "${measure}"`).join(', ');
  const months = `strftime("day", '%Y-%m') IN ('${fall.before}', '${fall.month}')`;
  const sql = `SELECT strftime("day", '%Y-%m') AS month, ${sums} FROM data WHERE "${column}" = '${group}' AND ${months} GROUP BY 1 ORDER BY 1`;
  return query(name, sql, 'troubles');
}

function query(datasource: string, sql: string, purpose: string): DoubleCall {
  return {
    name: 'run_query',
    id: `call_${purpose.replace(/\W/g, '_')}`,
    arguments: JSON.stringify({ datasource, sql, purpose }),
  };
}

let plans = 0;

function plan(steps: readonly string[]): DoubleCall {
  plans += 1;
  return { name: 'plan', id: `call_plan_${plans}`, arguments: JSON.stringify({ steps }) };
}

function monthOf(cell: string | number | null | undefined): string {
  return String(cell).slice(0, 7);
}

/** The tables and their columns, as the first message of the user lists them. */
function describedIn({ messages }: DoubleRequestBody): readonly Described[] {
  const text = messages.find(({ role }) => role === 'user')?.content ?? '';
  return text
    .split(/^Table: data /m)
    .slice(1)
    .map((part) => ({
      name: /datasource "([^"]+)"/.exec(part)?.[1] ?? '',
      columns: [...part.matchAll(/^- "([^"]+)": (\w+)/gm)].map(([, name = '', type = '']) => ({ name, type })),
    }));
}

/** What the calls of earlier rounds gave, by their purposes. */
function resultsIn({ messages }: DoubleRequestBody): ReadonlyMap<string, Result> {
  const purposes = messages
    .flatMap(({ tool_calls: calls = [] }) => calls)
    .map(({ function: { arguments: json } }) => (JSON.parse(json) as { readonly purpose?: string }).purpose ?? '');
  const contents = messages.filter(({ role }) => role === 'tool').map(({ content }) => content ?? '{}');
  return new Map(
    contents.flatMap((content, at) => {
      const { rows } = JSON.parse(content) as Partial<Result>;
      const purpose = purposes[at] ?? '';
      return rows === undefined ? [] : [[purpose, { purpose, rows }] as const];
    }),
  );
}
