import { describe, expect, it } from 'vitest';
import { WEATHER } from '../profiles.fixture.js';
import { columnHitsIn } from './column-mentions.js';
import { factsOf } from './table.js';
import { valuesIn } from './value-mentions.js';
import { tokensOf } from './words.js';

const { profile } = WEATHER.table;
const [model] = profile.columns.filter(({ type }) => type === 'text');

/** The values that a message may mean, of a column with the given ones. */
function valuesMeant(message: string, values: readonly string[]): readonly unknown[] {
  const topValues = values.map((value) => ({ value, count: 5 }));
  const column = { ...model!, name: 'Estado', distinct: values.length, topValues };
  const facts = factsOf({ ...WEATHER.table, profile: { ...profile, columns: [column] } });
  const tokens = tokensOf(message);
  const columnHits = columnHitsIn(message, tokens, facts);
  const mentions = valuesIn(message, tokens, facts, { isTime: tokens.map(() => false), columnHits });
  return mentions.flatMap(({ guesses }) => guesses.map(({ value }) => value));
}

describe('a value is meant', () => {
  it('by its beginning, and by a word that begins like it in another language', () => {
    const values = ['Electricidad', 'Gas natural', 'Estimada'];
    expect(valuesMeant('only elec', values)).toEqual(['Electricidad']);
    expect(valuesMeant('how many estimated readings', values)).toEqual(['Estimada']);
    expect(valuesMeant('average of all', values)).toEqual([]);
  });

  it('by two words for a compound of another language, before one of them', () => {
    expect(valuesMeant('liters of goat milk', ['Bokma Geiten', 'geitenmelk'])).toEqual(['geitenmelk']);
  });

  it('by a word of another language, or by two for one', () => {
    const values = ['Ampel', 'Schlagloch', 'Spielplatz'];
    expect(valuesMeant('only potholes', values)).toEqual(['Schlagloch']);
    expect(valuesMeant('broken traffic lights', values)).toEqual(['Ampel']);
  });

  it('by its word and its number, however they are written', () => {
    const values = ['PUMP-01', 'PUMP-02', 'L1', 'L2', 'Kompressor 1', 'Kompressor 2'];
    expect(valuesMeant('temperature of pump 1', values)).toEqual(['PUMP-01']);
    expect(valuesMeant('pumps 1 and 2', values)).toEqual(['PUMP-01', 'PUMP-02']);
    expect(valuesMeant('output of line no. 2', values)).toEqual(['L2']);
    expect(valuesMeant('Kompressor 1 vs 2', values)).toEqual(['Kompressor 1', 'Kompressor 2']);
    expect(valuesMeant('the last 2, or at least 1', values)).toEqual([]);
  });

  it('by another form of its words', () => {
    expect(valuesMeant('count cancellations', ['cancelled', 'delivered'])).toEqual(['cancelled']);
    expect(valuesMeant('what share does each driver deliver?', ['cancelled', 'delivered'])).toEqual(['delivered']);
    expect(valuesMeant('guests who checked out', ['Check-in', 'Check-out'])).toEqual(['Check-out']);
  });

  it('by a word of another language that is much like it', () => {
    expect(valuesMeant('corrective jobs', ['correttiva', 'preventiva'])).toEqual(['correttiva']);
  });

  it('by what is short for a word, and by a part where another word has the rest', () => {
    expect(valuesMeant('share of time occupied', ['OCC', 'FREE'])).toEqual(['OCC']);
    expect(valuesMeant('business trips on sundays', ['Bus', 'sun'])).toEqual([]);
    expect(new Set(valuesMeant('temperature in the server room', ['ROOM-SRV', 'ROOM-LAB']))).toEqual(
      new Set(['ROOM-SRV']),
    );
  });

  it('by its abbreviation before another code for the same', () => {
    expect(valuesMeant('how many alarms', ['RUN', 'WARN', 'ALM'])).toEqual(['ALM']);
    expect(valuesMeant('how many alarms', ['RUN', 'WARN'])).toEqual(['WARN']);
  });

  it('not by a word for how to draw', () => {
    expect(valuesMeant('reasons as a pie chart', ['à pied', 'coche'])).toEqual([]);
  });

  it('by a day of the week where there are others', () => {
    expect(valuesMeant('wind on Sundays', ['sun', 'rain', 'fog'])).toEqual([]);
    expect(valuesMeant('wind on Sundays', ['sun', 'mon', 'tue'])).toEqual(['sun']);
  });

  it('not by what an initial of a name would stand for', () => {
    expect(valuesMeant('what share was false', ['N. Rousseau', 'M. Petit'])).toEqual([]);
    expect(valuesMeant('only men', ['N. Rousseau', 'M. Petit'])).toEqual([]);
    expect(valuesMeant('only men', ['m', 'w'])).toEqual(['m']);
  });
});
