import { describe, expect, it } from 'vitest';
import { instantFrom } from './plot.service.js';

describe('the ends of a plot', () => {
  it.each([
    ['2024-03-05', '', '2024-03-05T00:00:00.000Z'],
    ['2024-03-05T17:08:09', '', '2024-03-05T17:08:09.000Z'],
    ['2024-03-05 17:08', '', '2024-03-05T17:08:00.000Z'],
    ['2024-03-05T17:08:09+02:00', '', '2024-03-05T15:08:09.000Z'],
    ['2024-03-05T17:08:09.5Z', '', '2024-03-05T17:08:09.500Z'],
    ['1709658489000', '', '2024-03-05T17:08:09.000Z'],
    ['05/03/2024', 'dd/MM/yyyy', '2024-03-05T00:00:00.000Z'],
    ['05/03/2024', '%m/%d/%Y', '2024-05-03T00:00:00.000Z'],
    ['1709658489', 'unix', '2024-03-05T17:08:09.000Z'],
  ])('%s with layout "%s" is %s', (text, layout, instant) => {
    expect(instantFrom('from', text, layout)?.toISOString()).toBe(instant);
  });

  it('are open when empty', () => {
    expect(instantFrom('from', '', '')).toBeNull();
  });

  it.each(['yesterday', '2024-13-01', '2024-02-30T00:00:00Z', '12', "2024-01-01'; DROP"])('refuse %s', (text) => {
    expect(() => instantFrom('to', text, 'yyyy-MM-dd')).toThrow('to must be a time');
  });
});
