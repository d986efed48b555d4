import { exhibit, type Exhibit, randomOf, wave } from './exhibit.js';

/** How values are spread, go together and share a whole. */
export function spreads(): readonly Exhibit[] {
  const random = randomOf(3);
  const normal = (): number => random() + random() + random() + random() + random() + random() - 3;
  return [
    exhibit(
      'histogram',
      ['Histogram', 'How the values of a column are spread.'],
      { kind: 'histogram', x: 'age', title: 'Distribution of age' },
      [{ age: 'number' }, Array.from({ length: 900 }, () => [Math.max(18, 41 + normal() * 14)])],
    ),
    exhibit(
      'scatter',
      ['Scatter', 'Two figures of each row.'],
      {
        kind: 'scatter',
        x: 'horsepower',
        y: 'consumption',
        title: 'Consumption against horsepower',
        xTitle: 'Horsepower',
        yTitle: 'Litres per 100 km',
      },
      [
        { horsepower: 'integer', consumption: 'number' },
        Array.from({ length: 300 }, () => {
          const power = Math.round(60 + random() * 180);
          return [power, 3.5 + power / 22 + normal()];
        }),
      ],
    ),
    exhibit(
      'scatter-series',
      ['Scatter by group', 'A colour for each group.'],
      { kind: 'scatter', x: 'length', y: 'weight', series: 'species', title: 'Weight against length by species' },
      [
        { length: 'number', weight: 'number', species: 'text' },
        ['trout', 'pike', 'perch'].flatMap((species, at) =>
          Array.from({ length: 60 }, () => [20 + at * 12 + normal() * 4, 300 + at * 500 + normal() * 140, species]),
        ),
      ],
    ),
    exhibit(
      'heatmap',
      ['Heatmap', 'A figure for each pair: here visits by weekday and hour.'],
      { kind: 'heatmap', x: 'hour of the day', y: 'visits', series: 'weekday', title: 'Visits by hour and weekday' },
      [
        { 'hour of the day': 'hour', weekday: 'weekday', visits: 'integer' },
        Array.from({ length: 7 * 24 }, (_, at) => [
          at % 24,
          Math.floor(at / 24) + 1,
          Math.round(120 + 90 * wave((at % 24) - 8, 24) + Math.floor(at / 24) * 14 + random() * 30),
        ]),
      ],
    ),
    exhibit(
      'heatmap-correlation',
      ['Correlations', 'Colours on both sides of zero.'],
      { kind: 'heatmap', x: 'first', y: 'correlation', series: 'second', title: 'Correlation of each pair' },
      [
        { first: 'text', second: 'text', correlation: 'number' },
        [
          ['age', 'income', 0.62],
          ['age', 'visits', -0.41],
          ['income', 'visits', -0.12],
          ['age', 'spending', 0.33],
          ['income', 'spending', 0.91],
          ['visits', 'spending', 0.05],
        ],
      ],
    ),
    exhibit(
      'pie',
      ['Pie', 'Shares of a few parts.'],
      { kind: 'pie', x: 'channel', y: 'share of orders', title: 'Share of orders by channel' },
      [
        { channel: 'text', 'share of orders': 'number' },
        [
          ['online', 0.58],
          ['store', 0.24],
          ['phone', 0.11],
          ['partner', 0.07],
        ],
      ],
    ),
  ];
}
