/** Statements that pass the gate, or nearly, and would take for ever, or all memory there is. */
export const BOMBS: readonly string[] = [
  `SELECT count(*) FROM data a, data b, data c, data d`,
  `SELECT list(a."Region") FROM data a, data b, data c`,
  `SELECT a.units, b.units, c.units, count(*) FROM data a, data b, data c, data d GROUP BY ALL`,
  `SELECT sum(x.range * y.range) FROM range(1000000) x, range(1000000) y`,
  `SELECT length(${doubled('repeat("Region", 1000)', 30)}) FROM data`,
  `SELECT list_transform(range(100000), x -> list_sum(list_transform(range(100000), y -> x * y)))`,
  `SELECT replace(replace(replace(repeat('x', 1000), 'x', repeat('y', 1000)), 'y', repeat('z', 1000)), 'z', repeat('w', 1000)) FROM data`,
  `SELECT count(*) FROM (FROM data a, data b) x POSITIONAL JOIN (FROM data c, data d, data e) y`,
  `WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r`,
  `WITH RECURSIVE r AS (SELECT 'x' AS s UNION ALL SELECT s || s FROM r) SELECT max(length(s)) FROM r`,
  `SELECT count(*) FROM data d, data e, generate_series(d."Order Date" - INTERVAL 1000 YEAR, e."Order Date", INTERVAL 1 MINUTE) s`,
  `SELECT sum(len(list_concat(range(100000), range(100000)))) FROM data a, data b, data c`,
  `SELECT max(length(to_json(list_transform(range(100000), x -> x + a.units * b.units))::VARCHAR)) FROM data a, data b`,
  `SELECT median(a.units * random()) OVER (ORDER BY a.units, b.units ROWS BETWEEN 1000000 PRECEDING AND 1000000 FOLLOWING) FROM data a, data b`,
  `SELECT count(DISTINCT md5(a."Region" || b.units || c."Revenue (€)" || random())) FROM data a, data b, data c`,
  `SELECT count(*) FROM data a, data b, data c WHERE regexp_matches(repeat(a."Region" || b.units || c.units, 500), '(o?r?t?){100}x$')`,
];

/** Statements that cost too much to be read or planned, or that reach for the ends of numbers. Each ends with an error or with few rows. */
export const ODDITIES: readonly string[] = [
  `WITH ${Array.from({ length: 25 }, (_, level) => `w${String(level + 1)} AS (SELECT *, * FROM ${level === 0 ? 'data' : `w${String(level)}`})`).join(', ')} SELECT count(*) FROM w25`,
  `SELECT ${'*,'.repeat(9000)}1 FROM data LIMIT 1`,
  `SELECT ${'('.repeat(9000)}1${')'.repeat(9000)}`,
  `SELECT ${'NOT '.repeat(4000)}true`,
  `SELECT ${'(SELECT '.repeat(300)}1${')'.repeat(300)}`,
  `SELECT 1 ${'UNION ALL SELECT 1 '.repeat(1000)}`,
  `SELECT count(*) FROM data ${Array.from({ length: 300 }, (_, index) => `JOIN data d${String(index)} USING ("Order Date")`).join(' ')}`,
  `SELECT units, count(*) FROM data GROUP BY CUBE (${Array.from({ length: 20 }, (_, index) => `units + ${String(index)}`).join(', ')})`,
  `PIVOT data ON units IN (${Array.from({ length: 4000 }, (_, index) => String(index)).join(',')}) USING sum(units)`,
  `SELECT regexp_matches('a', '${'('.repeat(5000)}a${')'.repeat(5000)}')`,
  `SELECT regexp_matches('a', '(((a{1000}){1000}){1000}){1000}')`,
  `SELECT json_extract('${'['.repeat(9000)}${']'.repeat(9000)}', '$${'[0]'.repeat(300)}')`,
  `SELECT from_json('[]', '${'['.repeat(4000)}"INT"${']'.repeat(4000)}')`,
  `SELECT (-9223372036854775808)::BIGINT % -1, (-9223372036854775808)::BIGINT // -1`,
  `SELECT factorial(1000000000), 1::BIGINT << 100, 1 >> -5, 2 ** 100000`,
  `SELECT chr(-1), chr(2000000000), chr(55296)`,
  `SELECT substring('abc', -9223372036854775808, 9223372036854775807), left('abc', -9223372036854775808), right('abc', -9223372036854775808)`,
  `SELECT TIMESTAMP '294247-01-10 04:00:54' + INTERVAL 1 DAY, DATE '5881580-07-10' + 1`,
  `SELECT time_bucket(INTERVAL 0 DAY, "Order Date") FROM data`,
  `SELECT "Order Date" AT TIME ZONE '../../etc/passwd' FROM data`,
  `SELECT product COLLATE nothing, product COLLATE "../x" FROM data`,
  `SELECT sum(units) OVER (ROWS BETWEEN 9223372036854775807 PRECEDING AND 9223372036854775807 FOLLOWING) FROM data`,
  `SELECT printf('%s%s%s', 1), format('{} {} {}', 1), printf('%n%n%n', 1)`,
  `SELECT MAP {'a': 1, 'a': 2}`,
  `SELECT unnest([[1], [2]], max_depth := 1000000), unnest({'a': 1}, recursive := true)`,
  `SELECT range(100000), range(100000), range(100000), range(100000) FROM data`,
];

/** Text of 2 to the power of `times` times the length, at each level twice the one below. */
function doubled(text: string, times: number): string {
  const levels = Array.from({ length: times });
  return levels.reduce<string>((grownText) => `replace(${grownText}, 'o', 'ooo')`, text);
}
