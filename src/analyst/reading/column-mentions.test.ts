import { expect, it } from 'vitest';
import { WEATHER } from '../profiles.fixture.js';
import { columnHitsIn } from './column-mentions.js';
import { factsOf } from './table.js';
import { tokensOf } from './words.js';

const { profile } = WEATHER.table;
const [model] = profile.columns.filter(({ type }) => type === 'number');

/** How much of each column's name the words of a message say; those of the second list are texts. */
function sharesOf(message: string, numbers: readonly string[], texts: readonly string[] = []): Map<string, number> {
  const columns = [...numbers, ...texts].map((name) => {
    return { ...model!, name, type: texts.includes(name) ? ('text' as const) : ('number' as const) };
  });
  const facts = factsOf({ ...WEATHER.table, profile: { ...profile, columns } });
  const hits = columnHitsIn(message, tokensOf(message), facts);
  return new Map(hits.map(({ column, share }) => [facts.columns[column]?.name ?? '', share]));
}

it.each([
  ['by its name without the unit', 'flow', 'flow_lpm', 0.7],
  ['by two words for one of its name', 'by job title', 'jobtitle', 0.9],
  ['by the words of a compound', 'contract duration', 'Vertragsdauer', 0.7],
  ['by its name before the number that ends the name of a key', 'how many orders', 'AuftragsNr', 0.6],
  ['by one word for two of its name', 'basket value', 'order_total_eur', 0.5],
  ['by what people call a sum without another name', 'value of the orders', 'order_total', 0.5],
  ['by a word that could be one for how to draw', 'by plot', 'Parzelle', 0.7],
  ['by the number of a question', 'average of Q12a', 'Q12a: How satisfied are you?', 0.9],
])('a column is meant %s: “%s” for %s', (_, message, name, least) => {
  expect(sharesOf(message, [name]).get(name)).toBeGreaterThan(least);
});

it('a column is meant less by half of a word, by a text without units, or by a unit that periods have, too', () => {
  expect(sharesOf('by title', ['jobtitle']).get('jobtitle') ?? 0).toBeLessThan(0.9);
  expect(sharesOf('flow', [], ['flow_lpm']).get('flow_lpm')).toBeLessThan(0.7);
  expect(sharesOf('how many minutes', ['Dauer [min]']).get('Dauer [min]')).toBeLessThan(0.45);
});

it.each([
  ['by its unit', 'kWh by site', ['Consumo (kWh)', 'Coste (€)', 'Dauer [min]'], ['Consumo (kWh)']],
  ['by what people call a sum', 'revenue by country', ['Total (EUR)', 'Shipping total'], ['Total (EUR)']],
  ['not by a word for a sum beside its own', 'total tax', ['Total', 'Tax'], ['Tax']],
  ['not by a word for how to draw', 'box plot of costs', ['Grund', 'Parzelle'], []],
  ['not by a number that two have', 'average of F1', ['F1 price?', 'F1 service?'], []],
])('of several columns one is meant %s: “%s”', (_, message, names, meant) => {
  expect([...sharesOf(message, names).keys()]).toEqual(meant);
});
