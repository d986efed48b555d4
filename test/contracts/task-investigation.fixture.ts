import type { TaskSubject } from '../../src/answering/tasks/task-assignment.js';
import type { TaskWorkshop } from './task-work.fixture.js';

/** Two datasources in which one thing went wrong, and what it was. */
export interface Planted {
  readonly subjects: readonly TaskSubject[];
  /** The group that lost revenue: `North`. */
  readonly value: string;
  /** What rose in the other datasource for that group: `outages`. */
  readonly measure: string;
  /** `2024-04` */
  readonly month: string;
}

const GROUPS = {
  region: ['North', 'South', 'West'],
  channel: ['Online', 'Partner', 'Store'],
  product: ['Bike', 'Helmet', 'Lamp'],
} as const;
const MEASURES = ['outages', 'complaints', 'delays'] as const;
const FIRST_DAY = Date.UTC(2024, 0, 1);
const DAYS = 182;

/** Half a year of revenue, of which one group loses more than half in one month, while one trouble of that group rises. */
export async function plantedWorld(world: TaskWorkshop, seed: number): Promise<Planted> {
  const random = randomFrom(seed);
  const one = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] ?? values[0]!;
  const dimension = one(Object.keys(GROUPS) as (keyof typeof GROUPS)[]);
  const [value, measure] = [one<string>(GROUPS[dimension]), one<string>(MEASURES)];
  const month = one(['2024-03', '2024-04', '2024-05', '2024-06']);
  const hit = (day: string, groups: Readonly<Record<string, string>>): boolean =>
    day.startsWith(month) && groups[dimension] === value;

  const sales = ['day,region,channel,product,revenue'];
  const troubles = [`day,${dimension},${MEASURES.join(',')}`];
  for (let at = 0; at < DAYS; at += 1) {
    const day = new Date(FIRST_DAY + at * 86_400_000).toISOString().slice(0, 10);
    for (const groups of combinations()) {
      const usual = 100 * (0.9 + 0.2 * random());
      const revenue = hit(day, groups) ? usual * 0.35 : usual;
      sales.push([day, groups['region'], groups['channel'], groups['product'], revenue.toFixed(2)].join(','));
    }
    for (const group of GROUPS[dimension]) {
      const counts = MEASURES.map((name) => {
        const usual = Math.floor(3 + 3 * random());
        return name === measure && hit(day, { [dimension]: group }) ? usual * 8 : usual;
      });
      troubles.push([day, group, ...counts].join(','));
    }
  }
  const subjects = [
    await world.load({
      name: 'Sales',
      text: `${sales.join('\n')}\n`,
      columns: [
        ['day', 'time'],
        ['region', 'text'],
        ['channel', 'text'],
        ['product', 'text'],
        ['revenue', 'number'],
      ],
      ...{ timeField: 'day', metaField: 'region', format: '%Y-%m-%d' },
    }),
    await world.load({
      name: 'Troubles',
      text: `${troubles.join('\n')}\n`,
      columns: [['day', 'time'], [dimension, 'text'], ...MEASURES.map((name) => [name, 'integer'] as const)],
      ...{ timeField: 'day', metaField: dimension, format: '%Y-%m-%d' },
    }),
  ];
  return { subjects, value, measure, month };
}

function combinations(): readonly Readonly<Record<string, string>>[] {
  return GROUPS.region.flatMap((region) =>
    GROUPS.channel.flatMap((channel) => GROUPS.product.map((product) => ({ region, channel, product }))),
  );
}

/** Mulberry32: the same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed * 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
