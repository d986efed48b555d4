import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectTimeFormats, parseLayout } from './time-format.js';
import { formatTime } from './write-time.fixture.js';

describe('detecting a time format', () => {
  it.each([
    ['2024-03-05', 'yyyy-MM-dd'],
    ['2024-03-05T17:08:09.123Z', "yyyy-MM-dd'T'HH:mm:ss.SSSXXX"],
    ['2024-03-05 17:08:09.123456+02:00', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX'],
    ['2024-03-05T17:08:09+0200', "yyyy-MM-dd'T'HH:mm:ssXX"],
    ['2024-03-05 17:08:09,123', 'yyyy-MM-dd HH:mm:ss,SSS'],
    ['20240305T170809Z', "yyyyMMdd'T'HHmmssXXX"],
    ['20240305170809', 'yyyyMMddHHmmss'],
    ['2012', 'yyyy'],
    ['2012/01/01 00', 'yyyy/MM/dd HH'],
    ['25/03/2024 17:08', 'dd/MM/yyyy HH:mm'],
    ['31.03.99', 'dd.MM.yy'],
    ['3-25-2024 5:08:09 PM', 'M-d-yyyy h:mm:ss a'],
    ['05MAR2024:17:08:09', 'ddMMMyyyy:HH:mm:ss'],
    ['Tue, 05 Mar 2024 17:08:09 GMT', 'EEE, dd MMM yyyy HH:mm:ss zzz'],
    ['Tuesday, March 5, 2024 5:08 PM', 'EEEE, MMMM d, yyyy h:mm a'],
    ['Tue Mar  5 17:08:09 2024', 'EEE MMM ppd HH:mm:ss yyyy'],
    ['05/Mar/2024:17:08:09 +0000', 'dd/MMM/yyyy:HH:mm:ss XX'],
    ['1709658489', 'unix'],
    ['1709658489.25', 'unix'],
    ['1709658489123', 'unix_ms'],
  ])('knows %j', (sample, format) => {
    expect(detectTimeFormats([sample])).toEqual({ best: format, ambiguous: [] });
  });

  const one = [
    '20230001',
    '2023 10:00',
    '03.2024 10:00',
    'hello',
    '',
    '2024-13-05',
    '2024-02-30',
    '12345678',
    '9999999999999',
    '10:00',
    '2024-03-05 ',
    '42.5',
  ];
  it.each([[[]], ...one.map((sample) => [[sample]]), [['2024-03-05', 'hello']], [['2024-03-05', '2024/03/05']]])(
    'finds nothing in %j',
    (samples) => {
      expect(detectTimeFormats(samples)).toEqual({ best: null, ambiguous: [] });
    },
  );

  it('finds the one reading that every sample fits, and leaves empty samples out', () => {
    expect(detectTimeFormats(['', '2024-03-05', ' ']).best).toBe('yyyy-MM-dd');
    expect(detectTimeFormats(['03/04/2024', '13/04/2024'])).toEqual({ best: 'dd/MM/yyyy', ambiguous: [] });
    expect(detectTimeFormats(['9/5/2010', '10/15/2010'])).toEqual({ best: 'M/d/yyyy', ambiguous: [] });
    expect(detectTimeFormats(['May 5, 2024', 'June 6, 2024']).best).toBe('MMMM d, yyyy');
  });

  it('lets a fraction be missing where some samples have none', () => {
    expect(detectTimeFormats(['2024-03-05T17:08:09Z', '2024-03-05T17:08:09.25Z']).best).toBe(
      "yyyy-MM-dd'T'HH:mm:ss[.SSS]XXX",
    );
  });

  it('names the other readings when day and month could be either, the day first', () => {
    expect(detectTimeFormats(['03/04/2024'])).toEqual({ best: 'dd/MM/yyyy', ambiguous: ['MM/dd/yyyy'] });
    expect(detectTimeFormats(['05/03/04']).ambiguous).toEqual(['MM/dd/yy', 'yy/MM/dd']);
  });

  it('prefers the month first beside AM and PM, and the only reading in which time runs one way', () => {
    const american = { best: 'M/d/yyyy h:mm a', ambiguous: ['d/M/yyyy h:mm a'] };
    expect(detectTimeFormats(['3/4/2024 5:08 PM'])).toEqual(american);
    const dayFirst = ['01/02/2024', '05/02/2024', '02/03/2024'];
    const monthFirst = ['01/02/2024', '01/12/2024', '02/03/2024'];
    expect(detectTimeFormats(dayFirst).best).toBe('dd/MM/yyyy');
    expect(detectTimeFormats(monthFirst)).toEqual({ best: 'MM/dd/yyyy', ambiguous: ['dd/MM/yyyy'] });
  });

  it('finds the layout again that wrote the samples, or names it among the other readings', () => {
    const date = fc.constantFrom('yyyy-MM-dd', 'dd.MM.yyyy', 'MM/dd/yy', 'yy-MM-dd', 'yyyyMMdd', 'EEEE, dd MMM yyyy');
    const clock = fc.constantFrom('', "'T'HH:mm", ' HH:mm:ss.SSS', ' hh:mm a', "'T'HH:mm:ssXXX", ', HH.mm');
    const moment = fc.date({ min: new Date('1970-01-01'), max: new Date('2060-01-01'), noInvalidDate: true });
    const moments = fc.array(moment, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(date, clock, moments, (day, time, written) => {
        const layout = parseLayout(day + time);
        const { best, ambiguous } = detectTimeFormats(written.map((moment) => formatTime(layout, moment)));
        expect([best, ...ambiguous]).toContain(day + time);
      }),
    );
  });
});
