import { days, exhibit, type Exhibit, MONTHS, randomOf, REGIONS, wave } from './exhibit.js';

/** Lines and areas. */
export function lines(): readonly Exhibit[] {
  const random = randomOf(1);
  return [
    exhibit(
      'line',
      ['Line', 'One figure over time. The axis names years, months, days or hours as the span asks for.'],
      {
        kind: 'line',
        x: 'day',
        y: 'average temperature',
        title: 'Average temperature by day',
        yTitle: 'Temperature in °C',
      },
      [
        { day: 'time', 'average temperature': 'number' },
        days(366).map((day, at) => [day, 11 - 9 * wave(at + 80, 366) + random() * 4]),
      ],
    ),
    exhibit(
      'line-series',
      ['Lines by group', 'Up to ten groups, the largest ones first; what is left over is said.'],
      { kind: 'line', x: 'month', y: 'total revenue', series: 'region', title: 'Total revenue by month and region' },
      [
        { month: 'time', region: 'text', 'total revenue': 'number' },
        MONTHS.flatMap((month, at) =>
          REGIONS.map((region, place) => [
            month,
            region,
            40_000 * (4 - place) + 9000 * wave(at + place * 3, 12) + random() * 9000,
          ]),
        ),
      ],
    ),
    exhibit(
      'line-hours',
      ['Hours', 'A day of readings.'],
      { kind: 'line', x: 'hour', y: 'load', title: 'Load by hour', yTitle: 'Load in %' },
      [
        { hour: 'time', load: 'number' },
        days(24, 3_600_000).map((hour, at) => [hour, 45 - 30 * wave(at + 4, 24) + random() * 8]),
      ],
    ),
    exhibit(
      'area',
      ['Area', 'Running totals and other figures that add up.'],
      { kind: 'area', x: 'month', y: 'revenue so far', title: 'Running total of revenue' },
      [
        { month: 'time', 'revenue so far': 'number' },
        MONTHS.map((month, at) => [month, 120_000 * (at + 1) + 60_000 * wave(at, 12)]),
      ],
    ),
    exhibit(
      'area-series',
      ['Stacked areas', 'Parts of a whole over time.'],
      { kind: 'area', x: 'month', y: 'orders', series: 'channel', title: 'Orders by month and channel' },
      [
        { month: 'time', channel: 'text', orders: 'integer' },
        MONTHS.flatMap((month, at) =>
          ['online', 'store', 'phone'].map((channel, place) => [
            month,
            channel,
            Math.round(900 / (place + 1) + 150 * wave(at + place, 12) + at * (place === 0 ? 30 : 2)),
          ]),
        ),
      ],
    ),
    exhibit(
      'line-negative',
      ['Below zero', 'The zero line is drawn when figures lie on both sides of it.'],
      { kind: 'line', x: 'month', y: 'profit', title: 'Profit by month' },
      [{ month: 'time', profit: 'number' }, MONTHS.map((month, at) => [month, 42_000 * wave(at, 9) + random() * 8000])],
    ),
    exhibit(
      'line-one-point',
      ['One point', 'A single moment is a dot, not an empty frame.'],
      { kind: 'line', x: 'month', y: 'profit', title: 'Profit by month' },
      [{ month: 'time', profit: 'number' }, [[MONTHS[0] ?? null, 42_000]]],
    ),
  ];
}
