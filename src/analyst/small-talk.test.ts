import { expect, it } from 'vitest';
import { WEATHER } from './profiles.fixture.js';
import { asideOf, asksForGaps } from './small-talk.js';

const CAN = /^I answer questions about this table with figures and charts\. The columns are location, /;

it.each([
  ['Hello!', 'clarify', /^Hello\./],
  ['thanks', 'clarify', /welcome/],
  ['What can you do?', 'clarify', CAN],
  ['Which columns are there?', 'clarify', /^The columns are location, date, precipitation, /],
  ['hallo', 'clarify', /^Hello/],
  ['export that to excel', 'clarify', /CSV saves/],
  [
    'what does “weather” mean?',
    'clarify',
    /^Nobody has written down what \*\*weather\*\* means\. It holds 5 different values/,
  ],
  ['what is in the column weather', 'clarify', /\*\*weather\*\* means/],
  ['explain the column temp max', 'clarify', /\*\*temp\\?_max\*\* means\. It holds numbers from/],
  ['Why is Seattle so rainy?', 'cannot', /why/],
  ['should we move to Seattle', 'cannot', /recommend/],
  ['will it rain tomorrow', 'cannot', /predict/],
  ['please delete the foggy days', 'cannot', /only read/],
])('“%s” asks nothing of the rows, and has a sentence for an answer', (message, verdict, says) => {
  const answer = { kind: 'unclear', verdict, says: expect.stringMatching(says) as string };
  expect(asideOf(message, WEATHER.table)).toMatchObject(answer);
});

it.each([
  'hello, how many rows are there?',
  'thanks, now by month',
  'why not the median',
  'why do we lose? most common reason',
  'predict temp_max from wind',
  'what is the average wind',
  'what is wind',
  'what does the mean wind mean',
  'save rates by month',
])('“%s” asks something of the rows', (message) => {
  expect(asideOf(message, WEATHER.table)).toBeNull();
});

it.each([
  ['which columns have gaps?', true],
  ['Are there any missing values in the data?', true],
  ['which days have missing values', false],
  ['how many are complete?', false],
  ['which columns are there?', false],
])('“%s” asks where values are missing: %s', (message, isSo) => {
  expect(asksForGaps(message, WEATHER.table)).toBe(isSo);
});

it.each([
  ['how many quality values are there', { name: 'Quality' }],
  ['how many complete fields are there', { topValues: [{ value: 'Complete', count: 3 }] }],
])('“%s” asks for a column or value that is called so', (message, own) => {
  const { profile } = WEATHER.table;
  const columns = profile.columns.map((column) => ({ ...column, ...own }));
  expect(asksForGaps(message, { ...WEATHER.table, profile: { ...profile, columns } })).toBe(false);
  expect(asksForGaps(message, WEATHER.table)).toBe(true);
});
