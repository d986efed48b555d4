import { describe, expect, it } from 'vitest';
import { WEATHER } from '../fixtures/scenes.fixture.js';
import { factsOf } from '../table-facts.js';
import { withoutPictures } from './picture-words.js';

describe('a request for a picture', () => {
  const facts = factsOf(WEATHER.table);

  it.each([
    ['average wind by weather, as a bar chart', 'average wind by weather'],
    ['average wind by weather in a pie chart', 'average wind by weather'],
    ['show a pie chart of the number of days by weather', 'number of days by weather'],
    [
      'Draw me a stacked bar chart showing total precipitation by month and location',
      'total precipitation by month and location',
    ],
    ['average wind by month and show it as a line chart', 'average wind by month'],
    ['scatter plot of wind against temp_max', 'correlation between wind and temp_max'],
    ['Make a scatter chart of the wind vs. the temp_max', 'correlation between wind and temp_max'],
    ['histogram of wind', 'summary statistics of wind'],
    ['What is the distribution of "temp_max"?', 'summary statistics of "temp_max"'],
    ['distribution of weather', 'number of rows by weather'],
  ])('%j asks for %j', (text, asked) => {
    expect(withoutPictures(text, facts)).toBe(asked);
  });

  it.each([
    'plot wind over time',
    'average wind by weather',
    'distribution of power among the ministers',
    'is wind normally distributed',
    'days with wind in the top 10',
    'chart',
  ])('is not in %j', (text) => {
    expect(withoutPictures(text, facts)).toBe(text);
  });
});
