import { describe, expect, it } from 'vitest';
import { KnownFigures, unknownFigures, writtenFigures } from './figure-check.js';
import { aResult } from './tasks/tasks.fixture.js';

/** Figures that stand in the columns of results, one column each. */
function knownOf(...columns: readonly (readonly number[])[]): KnownFigures {
  const known = new KnownFigures();
  for (const cells of columns)
    known.addResult(
      aResult(
        [['x', 'number']],
        cells.map((cell) => [cell]),
      ),
    );
  return known;
}

/** Figures that stand by themselves. */
function standing(...figures: readonly number[]): KnownFigures {
  const known = new KnownFigures();
  known.add(...figures);
  return known;
}

describe('a figure of a text', () => {
  it.each([
    ['rounded', 'It is 12.3.', 12.345],
    ['with thousands', 'It is **1,234,567**.', 1_234_567],
    ['written as in German', 'Es sind 1.234,57.', 1234.567],
    ['with spaces', 'Il y en a 1 234 567.', 1_234_567],
    ['negative, with a minus sign', 'It is −3.5.', -3.5],
    ['said without its sign', 'It fell by 3.5.', -3.5],
    ['in thousands', 'About 12k of them.', 12_345],
    ['in millions', 'About 1.2 million.', 1_234_567],
    ['a percentage of a share', 'That is 45.7 %.', 0.4567],
    ['a percentage as it stands', 'That is 45.7 percent.', 45.67],
    ['of three decimals', 'It is 1.234.', 1.234],
  ])('is found when it is %s', (_, text, cell) => {
    expect(unknownFigures(text, knownOf([cell, 987_654]))).toEqual([]);
  });

  it.each([
    ['invented', 'The profit is 77,777.', '77,777'],
    ['off by a digit', 'It is 12.4.', '12.4'],
    ['ten times as much', 'It is 123.4', '123.4'],
    ['a percentage of nothing', 'It grew by 37 %.', '37 %'],
    ['in a table', '| a | b |\n| --- | ---: |\n| x | 55.5 |', '55.5'],
    ['with a unit behind it', 'It took 345ms.', '345'],
    ['in a heading', '## Revenue of 55,555 in all', '55,555'],
  ])('is unknown when it is %s', (_, text, unknown) => {
    expect(unknownFigures(text, knownOf([12.345, 100_000]))).toEqual([unknown]);
  });

  it.each([
    'In March 2024, on 3 May 2024, 2024-05-01, 2024-05-01T10:00:00Z, at 10:30 and in Q3 2024.',
    '1. First\n2. Second\n10) Tenth',
    'As the file says [2], and the 3rd of them.',
    '![x 999](/api/v1/secure/assistant/visualizations/9999.png)',
    '`SELECT 99999`',
    '{chart 77}',
  ])('is none in: %s', (text) => {
    expect(writtenFigures(text)).toEqual([]);
  });

  const cells = knownOf([100, 80, 12.34, 1.16]);
  const falling = knownOf([120, 100, 90, 90]);
  const hundreds = knownOf([100, 200, 300, 400]);
  it.each<[string, KnownFigures, string, readonly string[]]>([
    [
      ...(['made of two beside it', standing(200, 150)] as const),
      ...(['It fell from 200 to 150, by 50 or 25 %; 1.33 times the second.', []] as const),
    ],
    ['not of two elsewhere', standing(200, 150), 'It fell from 200 to 150.\n\nThat is 25 %.', ['25 %']],
    ['made of whole numbers exactly', cells, 'The one is 100, the other 80: 21 more.', ['21']],
    ['made of rounded ones', cells, 'It was 12.3 and 1.2, together 13.5.', []],
    ['made of rounded ones as exactly', cells, 'It was 12.3 and 1.2, together 13.9.', ['13.9']],
    ['no fraction of whole numbers', cells, 'The one is 100, the other 80, which makes 0.8.', ['0.8']],
    ['a usual level', knownOf([7]), 'Significant at 0.05, with 95 % confidence; 0.06 would not be.', ['0.06']],
    [
      ...(['changes and shares of rows that are not named', falling] as const),
      ...(['Sales fell by 16.7 % at first, by 25 % in all; the first is 30 % of the total.', []] as const),
    ],
    ['a difference or a ratio of them', falling, 'The gap is 30, or 1.33 times.', []],
    ['no other percentage', falling, 'It fell by 27 %.', ['27 %']],
    ['made of two results', knownOf([200], [150]), 'A quarter less, 25 %.', []],
    ['nothing else of two results', knownOf([200], [150]), 'Much less, 41 %.', ['41 %']],
    ['a sum, an average, a number of rows', knownOf([100, 200, 300]), 'Together 600, 200 on average, 3 rows.', []],
    ['a small count', hundreds, 'The top 3 of them.', []],
    ['no small count with decimals', hundreds, 'It is 3.7.', ['3.7']],
  ])('may be %s', (_, known, text, unknown) => {
    expect(unknownFigures(text, known)).toEqual(unknown);
  });

  it('may stand in the prompt or a file', () => {
    const known = knownOf([1]);
    known.addText('Is it above 4,500? Since 2019.');
    expect(unknownFigures('It is not above 4,500, since 2019.', known)).toEqual([]);
  });

  it('is looked for in time that grows with the text', () => {
    const begun = performance.now();
    const known = knownOf(Array.from({ length: 20_000 }, (_, index) => index * 1.7));
    for (const part of ['1', '1,', '1.', '12 ', '9 000', '%', '`', '- 1. '])
      unknownFigures(part.repeat(20_000 / part.length), known);
    expect(performance.now() - begun).toBeLessThan(5000);
  });
});
