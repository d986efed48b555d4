import { expect, it } from 'vitest';
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
  return [...new Set(mentions.flatMap(({ guesses }) => guesses.map(({ value }) => value)))];
}

const ENERGY = ['Electricidad', 'Gas natural', 'Estimada'];
const CITY = ['Ampel', 'Schlagloch', 'Spielplatz'];
const MACHINES = ['PUMP-01', 'PUMP-02', 'L1', 'L2', 'Kompressor 1', 'Kompressor 2'];
const PEOPLE = ['N. Rousseau', 'M. Petit'];

it.each<[string, string, readonly string[], readonly string[]]>([
  ['by its beginning', 'only elec', ENERGY, ['Electricidad']],
  ['by a word that begins like it in another language', 'how many estimated readings', ENERGY, ['Estimada']],
  ['not by other words', 'average of all', ENERGY, []],
  ['by two words for a compound', 'liters of goat milk', ['Bokma Geiten', 'geitenmelk'], ['geitenmelk']],
  ['by two words for one', 'broken traffic lights', CITY, ['Ampel']],
  ['by its word and its number', 'temperature of pump 1', MACHINES, ['PUMP-01']],
  ['by its word and its number', 'output of line no. 2', MACHINES, ['L2']],
  ['by its word and its number', 'Kompressor 1 vs 2', MACHINES, ['Kompressor 1', 'Kompressor 2']],
  ['not by its number alone', 'the last 2, or at least 1', MACHINES, []],
  ['by another form', 'what share does each driver deliver?', ['cancelled', 'delivered'], ['delivered']],
  ['by a word that is much like it', 'corrective jobs', ['correttiva', 'preventiva'], ['correttiva']],
  ['by what is short for a word', 'share of time occupied', ['OCC', 'FREE'], ['OCC']],
  ['not by a beginning that is another word', 'business trips on sundays', ['Bus', 'sun'], []],
  ['by all of its parts', 'temperature in the server room', ['ROOM-SRV', 'ROOM-LAB'], ['ROOM-SRV']],
  ['by its abbreviation before another code', 'how many alarms', ['RUN', 'WARN', 'ALM'], ['ALM']],
  ['by another code where it has none', 'how many alarms', ['RUN', 'WARN'], ['WARN']],
  ['not by a word for how to draw', 'reasons as a pie chart', ['à pied', 'coche'], []],
  ['not by a day of the week', 'wind on Sundays', ['sun', 'rain', 'fog'], []],
  ['by a day of the week where there are others', 'wind on Sundays', ['sun', 'mon', 'tue'], ['sun']],
  ['not by an initial', 'only men', PEOPLE, []],
  ['by a letter that is all of it', 'only men', ['m', 'w'], ['m']],
])('a value is meant %s: “%s”', (_, message, values, meant) => {
  expect(valuesMeant(message, values)).toEqual(meant);
});
