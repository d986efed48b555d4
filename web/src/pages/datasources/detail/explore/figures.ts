type Cell = string | number | boolean | null;

export const DRAWS = ['line', 'bar', 'scatter'] as const;
export type Draw = (typeof DRAWS)[number];
export const FIGURES = ['avg', 'sum', 'min', 'max', 'count', 'median'] as const;
export type Figure = (typeof FIGURES)[number];
export const GRAINS = ['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
export type Grain = (typeof GRAINS)[number];

/** Series in one picture; more are lost in each other. */
export const MOST_SERIES = 10;
/** Figures that are asked for at once. */
export const MOST_FIGURES = 5000;

const DAY = 86_400_000;
const LENGTHS: Readonly<Record<Grain, number>> = {
  ...{ minute: 60_000, hour: 3_600_000, day: DAY, week: 7 * DAY },
  ...{ month: 30 * DAY, quarter: 91 * DAY, year: 365 * DAY },
};
/** Steps that are told apart in a picture. */
const STEPS: Readonly<Record<Draw, number>> = { line: 400, bar: 62, scatter: 500 };

/** The shortest step of which a picture of that length, in milliseconds, does not have too many. */
export function grainFor(length: number, draw: Draw): Grain {
  return GRAINS.find((grain) => length / LENGTHS[grain] <= STEPS[draw]) ?? 'year';
}

/** Steps of which a range of that length has no more figures than are asked for. */
export function grainsFor(length: number, series: number): readonly Grain[] {
  return GRAINS.filter((grain) => (length / LENGTHS[grain] + 1) * Math.max(series, 1) <= MOST_FIGURES);
}

export interface Measured {
  readonly column: string;
  /** Whether several rows add up, where nobody says what is done with them. */
  readonly role: string;
}

interface PlanMeasure {
  readonly aggregate: Figure;
  readonly column: string | null;
  readonly label: string;
}

const WORDS: Readonly<Record<Figure, string>> = {
  ...{ avg: 'average', sum: 'total', min: 'lowest', max: 'highest', median: 'median', count: 'rows' },
};

/** What is worked out: one figure of each column, or how many rows there are. */
export function measuresOf(columns: readonly Measured[], figure: Figure | undefined): readonly PlanMeasure[] {
  // oxlint-disable-next-line lingui/no-unlocalized-strings -- the plan's words are the analyst's
  if (figure === 'count') return [{ aggregate: 'count', column: null, label: 'number of rows' }];
  return columns.map(({ column, role }) => {
    const aggregate = figure ?? (role === 'sum' ? 'sum' : 'avg');
    return { aggregate, column, label: `${WORDS[aggregate]} ${column}` };
  });
}

export interface Wanted {
  readonly measures: readonly PlanMeasure[];
  /** Null: not over time. */
  readonly time: { readonly column: string; readonly grain: Grain } | null;
  readonly split: string | null;
  readonly filters: readonly object[];
}

type Plan = Record<string, unknown>;

/** Where the time and the groups stand in the result. */
export function labelsOf({ time, split, measures }: Wanted): { readonly time: string; readonly split: string } {
  const taken = measures.map(({ label }) => label);
  const free = (label: string): string => (taken.includes(label) ? `${label}_group` : label);
  const group = free(split ?? '');
  const step = time?.grain ?? '';
  return { time: step === group ? `${step}_time` : step, split: group };
}

/** Figures over time, by group: what a board can pin. */
export function figuresPlan(wanted: Wanted): Plan {
  const { measures, time, split, filters } = wanted;
  const labels = labelsOf(wanted);
  const buckets =
    time === null ? [] : [{ kind: 'bucket', column: time.column, bucket: time.grain, label: labels.time }];
  const groups = split === null ? [] : [{ kind: 'column', column: split, label: labels.split }];
  const order = time === null ? [{ by: measures[0]?.label ?? '', direction: 'desc' }] : [];
  const limit = time === null ? MOST_SERIES : null;
  return { kind: 'aggregate', measures, dimensions: [...buckets, ...groups], filters, having: [], order, limit };
}

/** The groups that are shown: those with the highest first figure. */
export function groupsPlan(wanted: Wanted): Plan {
  return figuresPlan({ ...wanted, time: null, measures: wanted.measures.slice(0, 1) });
}

export interface Series {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

/** One figure as lines: `at` are seconds since 1970, or places of groups. */
export interface Drawn {
  readonly at: readonly number[];
  readonly series: readonly Series[];
  /** Of places that are no times. */
  readonly names?: readonly string[];
}

interface Result {
  readonly columns: readonly { readonly name: string }[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Each figure of the result over time, with gaps where there were no rows; or over groups. `empty` names the group without a value. */
export function drawnOf(result: Result, wanted: Wanted, empty: string): readonly Drawn[] {
  const labels = labelsOf(wanted);
  const place = (label: string): number => result.columns.findIndex(({ name }) => name === label);
  const [timeAt, groupAt] = [place(labels.time), place(labels.split)];
  if (wanted.time === null)
    return wanted.measures.map(({ label }) => overGroups(result, { groupAt, figureAt: place(label), empty }));
  const at = stepsIn(
    result.rows.map((row) => Date.parse(String(row[timeAt]))),
    wanted.time.grain,
  );
  const index = new Map(at.map((time, step) => [time, step]));
  const names =
    wanted.split === null ? [''] : [...new Set(result.rows.map((row) => nameOf(row[groupAt], empty)))].sort();
  return wanted.measures.map(({ label }) => {
    const values = new Map(names.map((name) => [name, new Array<number | null>(at.length).fill(null)]));
    for (const row of result.rows) {
      const step = index.get(Date.parse(String(row[timeAt])));
      const line = values.get(wanted.split === null ? '' : nameOf(row[groupAt], empty));
      if (step !== undefined && line !== undefined) line[step] = numberOf(row[place(label)]);
    }
    return { at: at.map((time) => time / 1000), series: [...values].map(([name, line]) => ({ name, values: line })) };
  });
}

interface Places {
  readonly groupAt: number;
  readonly figureAt: number;
  readonly empty: string;
}

function overGroups({ rows }: Result, { groupAt, figureAt, empty }: Places): Drawn {
  return {
    at: rows.map((_, place) => place),
    series: [{ name: '', values: rows.map((row) => numberOf(row[figureAt])) }],
    names: rows.map((row) => nameOf(row[groupAt], empty)),
  };
}

/** The first figure against the second, a point for each step and group. */
export function pointsOf([one, other]: readonly Drawn[]): Drawn {
  const points = (one?.series ?? []).flatMap(({ name, values }, line) =>
    values.flatMap((x, step) => {
      const y = other?.series[line]?.values[step] ?? null;
      return x === null || y === null ? [] : [{ name, x, y }];
    }),
  );
  points.sort((a, b) => a.x - b.x);
  const names = (one?.series ?? []).map(({ name }) => name);
  const series = names.map((name) => ({ name, values: points.map((point) => (point.name === name ? point.y : null)) }));
  return { at: points.map(({ x }) => x), series };
}

function nameOf(cell: Cell | undefined, empty: string): string {
  return cell === null || cell === undefined ? empty : String(cell);
}

function numberOf(cell: Cell | undefined): number | null {
  return typeof cell === 'number' ? cell : null;
}

/** Every step from the first to the last one, so that what is missing is a gap. */
function stepsIn(times: readonly number[], grain: Grain): readonly number[] {
  const known = [...new Set(times.filter((time) => !Number.isNaN(time)))].sort((a, b) => a - b);
  const last = known.at(-1) ?? 0;
  const steps: number[] = [];
  for (let time = known[0] ?? 1; time <= last && steps.length <= MOST_FIGURES; time = nextStep(time, grain))
    steps.push(time);
  const listed = new Set(steps);
  return steps.length <= MOST_FIGURES && known.every((time) => listed.has(time)) ? steps : known;
}

const MONTHS = { month: 1, quarter: 3, year: 12 } as const;

/** The beginning of the step after the one that begins here, in UTC. */
export function nextStep(time: number, grain: Grain): number {
  if (grain !== 'month' && grain !== 'quarter' && grain !== 'year') return time + LENGTHS[grain];
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + MONTHS[grain], 1);
}
