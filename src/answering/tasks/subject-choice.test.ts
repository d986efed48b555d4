import { describe, expect, it } from 'vitest';
import { addressed } from './subject-choice.js';
import { aSubject } from './tasks.fixture.js';

const NORTH = aSubject({ name: 'Sales North', columns: ['shop', 'revenue', 'price'] });
const SOUTH = aSubject({ name: 'Sales South.csv', columns: ['shop', 'revenue', 'price'] });
const WEATHER = aSubject({ name: 'Weather', columns: ['location', 'wind', 'tempMax'], values: ['Seattle'] });
const ALL = [NORTH, SOUTH, WEATHER];

function told(question: string, subjects = ALL): readonly (readonly [string, string])[] {
  return addressed(question, subjects).map(({ subject, text }) => [subject.name, text]);
}
const both = (text: string): readonly (readonly [string, string])[] => [NORTH, SOUTH].map(({ name }) => [name, text]);

describe('the datasources that a question is for', () => {
  it('are those that it names, and their names go', () => {
    expect(told('What is the average price in Sales North?')).toEqual([['Sales North', 'What is the average price?']]);
    expect(told('Compare Sales North and sales south by average price.')).toEqual(both('Average price.'));
    const quoted = 'Compare the total revenue of "Sales North" with Sales South.csv';
    expect(told(quoted)).toEqual(both('The total revenue'));
  });

  it('are else those whose columns and values it speaks of', () => {
    expect(told('average temp max').map(([name]) => name)).toEqual(['Weather']);
    expect(told('how windy is it in Seattle').map(([name]) => name)).toEqual(['Weather']);
    expect(told('total revenues').map(([name]) => name)).toEqual(['Sales North', 'Sales South.csv']);
  });

  it('are all where it speaks of none, or of all', () => {
    expect(told('how many rows are there')).toHaveLength(3);
    const two = [NORTH, SOUTH];
    expect(told('average price in both datasources?', two)).toEqual(both('Average price?'));
    expect(told('Compare the total revenue of the two.', two)).toEqual(both('The total revenue.'));
  });

  it('is the only one, asked as it is', () => {
    expect(told('Compare Sales North by price', [NORTH])).toEqual([['Sales North', 'Compare Sales North by price']]);
  });

  it('are found whatever stands in their names', () => {
    const odd = aSubject({ name: '$1 (a+b)* [x]', columns: ['wind'] });
    expect(told('average wind of $1 (a+b)* [x]', [odd, NORTH]).map(([name]) => name)).toEqual([odd.name]);
  });
});
