import { describe, expect, it } from 'vitest';
import { attachment } from './attachment.js';

describe('the name of a download', () => {
  it.each([
    ['Sensors', `attachment; filename="Sensors.csv"; filename*=UTF-8''Sensors.csv`],
    ['weather.CSV', `attachment; filename="weather.csv"; filename*=UTF-8''weather.csv`],
    ['Größe', `attachment; filename="Gr__e.csv"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.csv`],
    ['a\r\nset-cookie: "x', `attachment; filename="a set-cookie_ _x.csv"; filename*=UTF-8''a%20set-cookie_%20_x.csv`],
    ['../../etc/passwd', `attachment; filename="_.._etc_passwd.csv"; filename*=UTF-8''_.._etc_passwd.csv`],
    ["it's (new)*", `attachment; filename="it_s (new)_.csv"; filename*=UTF-8''it%27s%20%28new%29_.csv`],
    ['...', `attachment; filename="datasource.csv"; filename*=UTF-8''datasource.csv`],
    ['\ud800', `attachment; filename="_.csv"; filename*=UTF-8''%EF%BF%BD.csv`],
  ])('%j', (name, header) => {
    expect(attachment(name, '.csv')).toBe(header);
  });

  it('is not too long for a file system, and never half a character', () => {
    const header = attachment('😀'.repeat(200), '-rejects.csv');
    expect(decodeURIComponent(header.split("''")[1] ?? '')).toMatch(/^(?:😀)+\p{So}?.*-rejects\.csv$/u);
    expect(header.length).toBeLessThan(1500);
  });
});
