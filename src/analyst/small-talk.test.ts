import { describe, expect, it } from 'vitest';
import { WEATHER } from './profiles.fixture.js';
import { asideOf } from './small-talk.js';

const aside = (message: string): ReturnType<typeof asideOf> => asideOf(message, WEATHER.table);
const matching = (says: RegExp): string => expect.stringMatching(says) as string;

describe('a message that asks nothing of the rows', () => {
  it.each([
    ['Hello!', /^Hello\./],
    ['thanks', /welcome/],
    ['What can you do?', /^I answer questions about this table with figures and charts\. The columns are location, /],
    ['Who are you?', /^I answer questions/],
    ['Which columns are there?', /^The columns are location, date, precipitation, /],
  ])('is answered in a sentence: %s', (message, says) => {
    expect(aside(message)).toMatchObject({ kind: 'unclear', verdict: 'clarify', says: matching(says) });
  });

  it.each([
    ['Why is Seattle so rainy?', /why/],
    ['should we move to Seattle', /recommend/],
    ['will it rain tomorrow', /predict/],
    ['please delete the foggy days', /only read/],
  ])('is told to be beyond the rows: %s', (message, says) => {
    expect(aside(message)).toMatchObject({ kind: 'unclear', verdict: 'cannot', says: matching(says) });
  });

  it.each([
    'hello, how many rows are there?',
    'Thank you, and by location?',
    'thanks, now by month',
    'why not the median',
    'why do we lose? most common reason',
    'which columns have missing values',
    'predict temp_max from wind',
    'what is the average wind',
  ])('is not: %s', (message) => {
    expect(aside(message)).toBeNull();
  });
});
