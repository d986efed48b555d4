import { describe, expect, it } from 'vitest';
import { readColumns, readRowNouns } from './columns.js';
import { readFillers } from './fillers.js';
import { after, shown } from './fixtures/pieces.fixture.js';
import { CARS, ORDERS, PEOPLE, SENSORS, SERVERS, STRIKES, WEATHER } from './fixtures/scenes.fixture.js';
import { readNames } from './names.js';
import { readNumbers } from './numbers.js';
import { AGGREGATE_PHRASES, GROUPINGS, INTENTS, OPERATORS, readPhrases } from './phrases.js';
import { correctSpelling } from './spelling.js';
import { readSuperlatives } from './superlatives.js';
import { factsOf } from './table-facts.js';
import { tokenize } from './tokens.js';
import { readLongValues, readPhrasesOfValues, readSingleValues } from './values.js';

describe('values of several words, codes and quotes', () => {
  it.each([
    [WEATHER, 'wind in new york', 'wind in <value location=New York>'],
    [SENSORS, 'sensor 5 or SENSOR-12', '<value sensor=sensor-05> or <value sensor=sensor-12>'],
    [SENSORS, 'building a', '<value building=Building A>'],
    [STRIKES, 'a B-737-300', 'a <value Aircraft Make Model=B-737-300>'],
    [STRIKES, "chicago o'hare intl arpt", "<value Airport Name=CHICAGO O'HARE INTL ARPT>"],
    [ORDERS, 'of "desk lamp"', 'of <value product=Desk Lamp>'],
    [ORDERS, 'by "unit_price"', 'by <column unit_price>'],
    [ORDERS, 'of "Laptop"', 'of <value product=~laptop>'],
    [ORDERS, 'of "Nothing Known"', 'of <quoted>'],
  ])('reads them in %#', (scene, text, read) => {
    expect(after(readLongValues, text, scene)).toBe(read);
  });

  it('reads words that stand side by side in several values', () => {
    expect(after(readPhrasesOfValues, 'unknown bird strikes', STRIKES)).toBe(
      '<value Wildlife Species=~unknown bird> strikes',
    );
  });
});

describe('values of one word', () => {
  it.each([
    [WEATHER, 'rainy fog', '<value weather=rain> <value weather=fog>'],
    [ORDERS, 'the US', 'the <value country=United States>'],
    [ORDERS, 'tell us', 'tell us'],
    [ORDERS, 'laptops', '<value product=~laptop>'],
    [ORDERS, 'mugs', '<value product=Coffee Mug>'],
    [ORDERS, 'unpaid', '<value paid=false>'],
    [PEOPLE, 'women', '<value gender=female>'],
    [STRIKES, 'american', 'american'],
    [STRIKES, 'medium', 'medium'],
  ])('reads them in %#', (scene, text, read) => {
    expect(after(readSingleValues, text, scene)).toBe(read);
  });
});

describe('names of columns', () => {
  it.each([
    [WEATHER, 'temp max', '<column temp_max>'],
    [WEATHER, 'max temp', '<column temp_max max>'],
    [WEATHER, 'min and max temp_max', 'min and max <column temp_max>'],
    [WEATHER, 'maximum temperature', '<column temp_max max>'],
    [SERVERS, 'response time', '<column response_ms>'],
    [STRIKES, 'total cost', '<column Cost Total $ sum>'],
    [STRIKES, 'time of day', '<column Time of day>'],
    [PEOPLE, 'jobTitle job titles', '<column jobTitle> <column jobTitle>'],
    [CARS, 'year', '<column year>'],
    [CARS, 'years', 'years'],
  ])('are read in %#', (scene, text, read) => {
    expect(after(readNames, text, scene)).toBe(read);
  });

  it.each([
    [WEATHER, 'temp', '<ambiguous temp_max|temp_min>'],
    [STRIKES, 'damage', '<column Effect Amount of damage>'],
    [SERVERS, 'cpu', '<column cpu_pct>'],
    [ORDERS, 'units', 'units'],
    [ORDERS, 'status', 'status'],
  ])('are read by one word in %#', (scene, text, read) => {
    expect(after((pieces, facts) => readColumns(pieces, facts, 'name'), text, scene)).toBe(read);
  });

  it.each([
    [WEATHER, 'rainfall', '<column precipitation>'],
    [CARS, 'mpg', '<column Miles_per_Gallon>'],
    [ORDERS, 'sales', '<column revenue>'],
    [PEOPLE, 'hired', '<column hireDate>'],
  ])('are read by what people call them in %#', (scene, text, read) => {
    expect(after((pieces, facts) => readColumns(pieces, facts, 'synonym'), text, scene)).toBe(read);
  });

  it.each([
    [ORDERS, 'rows orders shop', '<rows> <rows> <filler>'],
    [PEOPLE, 'employees people', '<rows> <rows>'],
    [STRIKES, 'bird strikes', '<filler> <rows>'],
    [{ ...STRIKES, table: { ...STRIKES.table, name: 'birdstrikes.csv' } }, 'bird strikes', '<filler> <rows>'],
    [SENSORS, 'sensors readings', 'sensors <rows>'],
  ])('are told from words for rows in %#', (scene, text, read) => {
    expect(after(readRowNouns, text, scene)).toBe(read);
  });
});

describe('fixed phrases', () => {
  it.each([
    ['how many different x vs y', '<count> <distinct> x <compare> y'],
    ['which is most common', '<asker which> is <frequent desc>'],
    ['x over time', 'x <trend>'],
  ])('say what is wanted: %s', (text, read) => {
    expect(shown(readPhrases(tokenize(text), INTENTS))).toBe(read);
  });

  it.each([
    ['more than 5', '<operator >> 5'],
    ['no less than 5', '<operator >=> 5'],
    ['x is not 5', 'x is <negation> 5'],
    ['not missing', '<empty>'],
    ['at most 5, up to 6', '<operator <=> 5 <join> <operator <=> 6'],
  ])('compare and deny: %s', (text, read) => {
    expect(shown(readPhrases(tokenize(text), OPERATORS))).toBe(read);
  });

  it.each([
    ['standard deviation of x', '<aggregate stddev> of x'],
    ['mean and median', '<aggregate avg> and <aggregate median>'],
  ])('name aggregates: %s', (text, read) => {
    expect(shown(readPhrases(tokenize(text), AGGREGATE_PHRASES))).toBe(read);
  });

  it.each([
    ['x for each month', 'x <group> <bucket month>'],
    ['weekly by day of the week', '<bucket week> <group> <part weekday>'],
  ])('group: %s', (text, read) => {
    expect(shown(readPhrases(tokenize(text), GROUPINGS))).toBe(read);
  });
});

describe('superlatives', () => {
  it.each([
    [WEATHER, 'coldest', '<superlative asc extreme>'],
    [WEATHER, 'how windy', '<column wind>'],
    [WEATHER, 'oldest', 'oldest'],
    [PEOPLE, 'older than 50', '<operator >> 50'],
    [PEOPLE, 'who earns', 'who <column salary>'],
    [SERVERS, 'slower fastest', '<superlative desc comparative> <superlative asc extreme>'],
    [ORDERS, 'top 5', '<top desc> 5'],
    [ORDERS, 'the best', 'the best'],
    [ORDERS, 'best by revenue', '<top desc> by revenue'],
    [ORDERS, 'most recent', '<newest desc>'],
    [STRIKES, 'most expensive', '<superlative desc extreme>'],
  ])('are read in %#', (scene, text, read) => {
    expect(after(readSuperlatives, text, scene)).toBe(read);
  });
});

describe('numbers', () => {
  it.each([
    ['4 GB', '<4 gb>'],
    ['50%', '<50 percent>'],
    ['$100', '<100 $>'],
    ['1.5 million', '1500000'],
    ['20k', '20000'],
    ['20 k', '20 k'],
    ['3.1V', '<3.1 v>'],
    ['3 days', '3 days'],
  ])('are joined with their units: %s', (text, read) => {
    expect(shown(readNumbers(tokenize(text)))).toBe(read);
  });
});

describe('spelling', () => {
  const corrected = (text: string): string => shown(correctSpelling(tokenize(text), factsOf(WEATHER.table)).pieces);

  it.each([
    ['avrage precipitaton', 'average precipitation'],
    ['seatle', 'seattle'],
    ['wnd', 'wnd'],
    ['Boston', 'boston'],
    ['whether', 'whether'],
    ['locations', 'locations'],
  ])('reads %s as %s', (text, read) => {
    expect(corrected(text)).toBe(read);
  });

  it('does not guess twice', () => {
    const { pieces } = correctSpelling(tokenize('kestral'), factsOf(STRIKES.table));
    expect(shown(pieces)).toBe('kestrel');
    expect(shown(readSingleValues(pieces, factsOf(STRIKES.table)))).toBe('kestrel');
  });
});

it('marks words that say nothing', () => {
  expect(shown(readFillers(tokenize('please show the broken ones')))).toBe('<filler> show <filler> broken ones');
});
