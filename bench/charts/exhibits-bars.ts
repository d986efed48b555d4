import { exhibit, type Exhibit, randomOf } from './exhibit.js';

/** Bars. */
export function bars(): readonly Exhibit[] {
  const random = randomOf(2);
  return [
    exhibit(
      'bar',
      ['Bar', 'Figures of a few groups, the largest first.'],
      { kind: 'bar', x: 'country', y: 'total revenue', title: 'Total revenue by country, the 8 highest' },
      [
        { country: 'text', 'total revenue': 'number' },
        ['United Kingdom', 'Germany', 'France', 'Spain', 'Poland', 'Italy', 'Norway', 'Malta'].map((name, at) => [
          name,
          1_240_000 / (at + 1),
        ]),
      ],
    ),
    exhibit(
      'bar-long-labels',
      ['Long names', 'Names that do not fit are cut where the eye expects it.'],
      { kind: 'bar', x: 'product', y: 'orders', title: 'Orders by product' },
      [
        { product: 'text', orders: 'integer' },
        [
          ['Ergonomic standing desk, height-adjustable, oak, 180 × 80 cm', 812],
          ['<3 drawers> & keys', 640],
          ['Łódź office chair', 399],
          ['Größenverstellbarer Tisch für kleine Räume', 120],
          ['', 14],
          [null, 3],
        ],
      ],
    ),
    exhibit(
      'bar-negative',
      ['Gains and losses', 'Bars on both sides of zero.'],
      { kind: 'bar', x: 'department', y: 'change', title: 'Change of budget by department', yTitle: 'Change in €' },
      [
        { department: 'text', change: 'number' },
        [
          ['Sales', 182_000],
          ['Research', 96_500],
          ['Support', 4200],
          ['Marketing', -58_000],
          ['Travel', -131_000],
        ],
      ],
    ),
    exhibit(
      'bar-many',
      ['Many groups', 'As many bars as can be read.'],
      { kind: 'bar', x: 'station', y: 'readings', title: 'Readings by station' },
      [
        { station: 'text', readings: 'integer' },
        Array.from({ length: 48 }, (_, at) => [`Station ${at + 1}`, Math.round(4000 - at * 70 + random() * 60)]),
      ],
    ),
    exhibit(
      'bar-weekday',
      ['Profile of a week', 'Weekdays, months of the year and hours of the day stay in their order.'],
      { kind: 'bar', x: 'weekday', y: 'average visits', title: 'Average visits by weekday' },
      [
        { weekday: 'weekday', 'average visits': 'number' },
        [210, 198, 205, 231, 340, 512, 455].map((visits, at) => [at + 1, visits]),
      ],
    ),
    exhibit(
      'grouped-bar',
      ['Grouped bars', 'Groups side by side.'],
      {
        kind: 'grouped_bar',
        x: 'department',
        y: 'average salary',
        series: 'gender',
        title: 'Average salary by department and gender',
      },
      [
        { department: 'text', gender: 'text', 'average salary': 'number' },
        ['Engineering', 'Sales', 'Support', 'Legal'].flatMap((name, at) => [
          [name, 'female', 71_000 - at * 4000],
          [name, 'male', 73_500 - at * 4600],
        ]),
      ],
    ),
    exhibit(
      'stacked-bar',
      ['Stacked bars', 'Parts of each sum.'],
      { kind: 'stacked_bar', x: 'quarter', y: 'orders', series: 'channel', title: 'Orders by quarter and channel' },
      [
        { quarter: 'time', channel: 'text', orders: 'integer' },
        [0, 3, 6, 9, 12, 15].flatMap((month, at) =>
          ['online', 'store', 'phone'].map((channel, place) => [
            new Date(Date.UTC(2023, month, 1)).toISOString(),
            channel,
            Math.round(1200 / (place + 1) + at * 90),
          ]),
        ),
      ],
    ),
  ];
}
