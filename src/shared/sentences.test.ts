import { expect, it } from 'vitest';
import { printedSentences } from './sentences.js';

it('a printed sentence ends at its full stop, not behind the number of an item or of a German date', () => {
  const text = '1. Call the depot. Gültig ab 1. Januar 2025. There are 12. Wait for Dr. Moro.';
  expect(printedSentences(text)).toEqual([
    '1. Call the depot.',
    'Gültig ab 1. Januar 2025.',
    'There are 12.',
    'Wait for Dr. Moro.',
  ]);
});
