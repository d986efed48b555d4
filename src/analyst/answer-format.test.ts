import { expect, it } from 'vitest';
import { formatOf } from './answer-format.js';

it.each([
  ['What is the mean wind? Round the answer to three decimal places.', 'What is the mean wind?', 3],
  ['mean wind (2 d.p.)', 'mean wind', 2],
  ['share of rain with one decimal', 'share of rain', 1],
  ['mean wind, rounded to 2', 'mean wind', 2],
  ['mean wind to the nearest whole number', 'mean wind', 0],
  ['mean wind by location, rounded', 'mean wind by location', 0],
  ['mean wind, round the figures please', 'mean wind', 0],
])('words on how to round are taken out of %j', (message, rest, decimals) => {
  const { text, format } = formatOf(message);
  expect(format).toEqual({ decimals });
  expect(text).toContain(rest);
  expect(text).not.toMatch(/round|decimal|dp|d\.p|whole|2|one/);
});

it('words that only look so stay', () => {
  for (const text of [
    'rounds of Monopoly',
    'rounds with 5 or more players',
    'underground trains',
    'best score by round',
    'top 10 by wind',
  ])
    expect(formatOf(text)).toEqual({ text, format: { decimals: null } });
});
