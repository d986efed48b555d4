import { PRICE_QUERIES } from './row-query.legitimate.prices.js';
import { READING_QUERIES } from './row-query.legitimate.readings.js';
import { STAFF_QUERIES } from './row-query.legitimate.staff.js';
import { TICKET_QUERIES } from './row-query.legitimate.tickets.js';
import { type LegitimateQuery, count, deviation, line, mean, quantile, sum } from './row-query.legitimate.figures.js';
import { PRICES, READINGS, SALES, STAFF, TICKETS, type TestTable } from './row-query.legitimate.tables.js';

const { rows } = SALES;
const west = rows.filter(({ Region }) => Region === 'West');
const january = rows.filter((row) => row['Order Date'].getUTCMonth() === 0);

/** What people ask about sales, as a model writes it. */
// prettier-ignore
const SALES_QUERIES: readonly LegitimateQuery[] = [
  [`SELECT * FROM data`, 1000],
  [`FROM data LIMIT 3`, 3, ['2024-01-01T00:00:00.000Z', 'North', null]],
  [`SELECT count(*) FROM data;`, 1, [2000]],
  [`SELECT count(*) FROM data -- how many`, 1, [2000]],
  [`/* all */ SELECT DISTINCT "Region" FROM data ORDER BY 1`, 4, ['East']],
  [`SELECT "Region", sum("Revenue (€)") AS revenue FROM data GROUP BY "Region" ORDER BY revenue DESC`, 4, ['West', sum(west, (r) => r['Revenue (€)'])]],
  [`SELECT region, product, avg(units) FROM data GROUP BY ALL ORDER BY ALL`, 22, ['East', 'Product 0', mean(rows.filter((r) => r.Region === 'East' && r.product === 'Product 0'), (r) => r.units)]],
  [`SELECT date_trunc('month', "Order Date") AS month, sum("Revenue (€)") FROM data GROUP BY 1 ORDER BY 1`, 3, ['2024-01-01T00:00:00.000Z', sum(january, (r) => r['Revenue (€)'])]],
  [`SELECT extract(hour FROM "Order Date") AS h, count(*) FROM data GROUP BY h ORDER BY h`, 24, [0, 84]],
  [`SELECT dayname("Order Date"), isodow("Order Date"), count(*) FROM data GROUP BY 1, 2 ORDER BY 2`, 7, ['Monday', 1, count(rows, (r) => r['Order Date'].getUTCDay() === 1)]],
  [`SELECT time_bucket(INTERVAL '7 days', "Order Date") AS w, max(units) FROM data GROUP BY w ORDER BY w`, 12],
  [`SELECT strftime("Order Date", '%Y-%m') AS m, count(*) FROM data GROUP BY m ORDER BY m`, 3, ['2024-01', january.length]],
  [`SELECT * FROM data WHERE "Order Date" >= DATE '2024-02-01' AND "Order Date" < DATE '2024-02-01' + INTERVAL 1 MONTH`, 696],
  [`SELECT * FROM data WHERE "Order Date" BETWEEN TIMESTAMP '2024-01-05 00:00:00' AND '2024-01-06'`, 25],
  [`SELECT * FROM data WHERE "Order Date" > (SELECT max("Order Date") FROM data) - INTERVAL '7 days'`, 168],
  [`SELECT count(*) FILTER (WHERE returned) * 100.0 / count(*) AS share FROM data`, 1, [10]],
  [`SELECT product, count(*) FROM data WHERE product IS NOT NULL GROUP BY product HAVING count(*) > 10`, 5],
  [`SELECT * FROM data WHERE "Region" ILIKE '%orth%' AND product NOT LIKE 'Product 1%' LIMIT 5`, 5],
  [`SELECT * FROM data WHERE lower("Region") IN ('north', 'south') AND units BETWEEN 2 AND 4`, count(rows, (r) => ['North', 'South'].includes(r.Region) && r.units >= 2 && r.units <= 4)],
  [`SELECT median(units), quantile_cont("Revenue (€)", 0.95), mode("Region"), stddev(units), var_samp(units) FROM data`, 1, [3, quantile(rows, 0.95, (r) => r['Revenue (€)']), 'North', deviation(rows, (r) => r.units)]],
  [`SELECT quantile_cont("Revenue (€)", [0.25, 0.5, 0.75]) FROM data`, 1],
  [`SELECT percentile_cont(0.9) WITHIN GROUP (ORDER BY "Revenue (€)") FROM data`, 1, [quantile(rows, 0.9, (r) => r['Revenue (€)'])]],
  [`SELECT corr(units, "Revenue (€)"), covar_pop(units, "Revenue (€)"), regr_slope("Revenue (€)", units), regr_r2("Revenue (€)", units) FROM data`, 1, [line(rows, (r) => r.units, (r) => r['Revenue (€)'])[1] ?? 0]],
  [`SELECT skewness("Revenue (€)"), kurtosis("Revenue (€)"), mad("Revenue (€)"), entropy("Region") FROM data`, 1],
  [`SELECT approx_count_distinct(product), approx_quantile(units, 0.5), approx_top_k(product, 3) FROM data`, 1],
  [`SELECT arg_max("Order Date", "Revenue (€)"), min_by(product, units), first(product ORDER BY units), any_value(product) FROM data`, 1, ['2024-01-05T03:00:00.000Z', 'Product 2']],
  [`SELECT string_agg(DISTINCT "Region", ', ' ORDER BY "Region"), list(DISTINCT units), bool_or(returned) FROM data`, 1, ['East, North, South, West']],
  [`SELECT histogram(units) FROM data`, 1],
  [`SELECT histogram("Revenue (€)", equi_width_bins(0, 150, 10, true)) FROM data`, 1],
  [`SELECT *, row_number() OVER (PARTITION BY "Region" ORDER BY "Revenue (€)" DESC) AS rank FROM data QUALIFY rank <= 3`, 12],
  [`SELECT "Order Date", avg(units) OVER (ORDER BY "Order Date" ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) FROM data`, 1000, ['2024-01-01T00:00:00.000Z', 0]],
  [`SELECT "Order Date", sum(units) OVER (ORDER BY "Order Date" RANGE BETWEEN INTERVAL 7 DAYS PRECEDING AND CURRENT ROW) FROM data`, 1000],
  [`SELECT lag(units) OVER w, lead(units, 2, 0) OVER w, first_value(units) OVER w, ntile(4) OVER w, percent_rank() OVER w FROM data WINDOW w AS (ORDER BY "Order Date")`, 1000, [null, 2, 0, 1, 0]],
  [`WITH m AS (SELECT date_trunc('month', "Order Date") AS month, sum(units) AS u FROM data GROUP BY 1) SELECT month, u, u - lag(u) OVER (ORDER BY month) AS change FROM m`, 3, ['2024-01-01T00:00:00.000Z', sum(january, (r) => r.units), null]],
  [`WITH a AS (SELECT * FROM data WHERE units > 3), b AS (SELECT "Region", count(*) AS n FROM a GROUP BY 1) SELECT * FROM b ORDER BY n`, 4],
  [`SELECT * FROM (SELECT "Region", sum(units) AS u FROM data GROUP BY 1) t WHERE u > 10`, 4],
  [`SELECT "Region", sum(units) / (SELECT sum(units) FROM data) AS share FROM data GROUP BY 1`, 4],
  [`SELECT a."Region", b.n FROM data a JOIN (SELECT "Region", count(*) AS n FROM data GROUP BY 1) b USING ("Region") LIMIT 10`, 10, ['North', 500]],
  [`SELECT count(*) FROM data a LEFT JOIN data b ON a."Order Date" = b."Order Date" + INTERVAL 1 DAY WHERE b.units IS NULL`, 1, [24]],
  [`SELECT a.units, b.units FROM data a ASOF JOIN data b ON a."Order Date" >= b."Order Date" LIMIT 3`, 3, [0, 0]],
  [`SELECT * FROM data d WHERE EXISTS (SELECT 1 FROM data e WHERE e.units > d.units + 5) LIMIT 3`, 3],
  [`SELECT "Region" FROM data WHERE units > 5 UNION SELECT "Region" FROM data WHERE units < 1 ORDER BY 1`, 4, ['East']],
  [`SELECT product FROM data EXCEPT SELECT product FROM data WHERE "Region" = 'North'`, 0],
  [`SELECT product FROM data INTERSECT SELECT product FROM data WHERE "Region" = 'North'`, 6],
  [`PIVOT data ON "Region" IN ('North', 'South') USING sum(units) GROUP BY product`, 6],
  [`SELECT * FROM (PIVOT data ON units IN (1, 2) USING count(*) GROUP BY "Region")`, 4],
  [`UNPIVOT (SELECT sum(units)::DOUBLE AS u, sum("Revenue (€)")::DOUBLE AS r FROM data) ON u, r`, 2, ['u', sum(rows, (r) => r.units)]],
  [`SELECT "Region", product, sum(units) FROM data GROUP BY ROLLUP ("Region", product)`, 27],
  [`SELECT "Region", product, sum(units), grouping("Region") FROM data GROUP BY CUBE ("Region", product)`, 33],
  [`SELECT "Region", sum(units) FROM data GROUP BY GROUPING SETS (("Region"), ())`, 5],
  [`SELECT CASE WHEN units > 4 THEN 'many' WHEN units > 1 THEN 'some' ELSE 'few' END AS size, count(*) FROM data GROUP BY size ORDER BY size`, 3, ['few', count(rows, (r) => r.units <= 1)]],
  [`SELECT coalesce(product, 'none'), nullif(units, 0), ifnull(product, ''), if(returned, 1, 0) FROM data LIMIT 5`, 5],
  [`SELECT round("Revenue (€)", 1), floor(units), ceil("Revenue (€)"), abs(-units), units % 3, units // 2, power(units, 2), sqrt(units), ln(units + 1) FROM data LIMIT 5`, 5],
  [`SELECT try_cast(product AS INTEGER), units::DOUBLE, CAST("Order Date" AS DATE), units::DECIMAL(10, 2), "Revenue (€)"::VARCHAR FROM data LIMIT 5`, 5],
  [`SELECT upper("Region") || '-' || product, substr(product, 1, 3), replace(product, ' ', '_'), split_part(product, ' ', 2), length(product), trim(product), regexp_extract(product, '(\\d+)', 1) FROM data LIMIT 5`, 5],
  [`SELECT lpad(units::VARCHAR, 3, '0'), printf('%.2f', "Revenue (€)"), format('{:,}', units), repeat('*', 5) FROM data LIMIT 5`, 5, ['000', '0.00', '0', '*****']],
  [`SELECT date_diff('day', min("Order Date"), max("Order Date")), age(max("Order Date"), min("Order Date")), last_day(max("Order Date")) FROM data`, 1, [83]],
  [`SELECT year("Order Date"), quarter("Order Date"), month("Order Date"), week("Order Date"), dayofyear("Order Date"), epoch("Order Date") FROM data LIMIT 2`, 2, [2024, 1, 1, 1, 1, 1704067200]],
  [`SELECT "Order Date" AT TIME ZONE 'UTC' AT TIME ZONE 'Europe/Paris' FROM data LIMIT 2`, 2, ['2024-01-01T01:00:00.000Z']],
  [`SELECT now() > max("Order Date"), current_date > DATE '2020-01-01', current_timestamp IS NOT NULL FROM data`, 1, [true, true, true]],
  [`SELECT d.day, count(x.units) FROM generate_series(TIMESTAMP '2024-01-01', TIMESTAMP '2024-01-31', INTERVAL 1 DAY) AS d(day) LEFT JOIN data x ON date_trunc('day', x."Order Date") = d.day GROUP BY 1 ORDER BY 1`, 31, ['2024-01-01T00:00:00.000Z', 24]],
  [`SELECT r.range AS hour, count(units) FROM range(24) r LEFT JOIN data ON hour("Order Date") = r.range GROUP BY 1 ORDER BY 1`, 24, [0, 84]],
  [`SELECT unnest(range(-5, 10, 5)), unnest([1, 2, 3])`, 3, [-5, 1]],
  [`SELECT * FROM unnest(['a', 'b']) AS t(x)`, 2, ['a']],
  [`SELECT list_transform([1, 2], x -> x + 1), list_filter([1, 2], x -> x > 1), [x * 2 FOR x IN [1, 2] IF x > 1], list_sum([1, 2])`, 1, ['[2, 3]', '[2]', '[4]', 3]],
  [`SELECT {'a': units, 'b': product}.a, [1, 2, 3][1:2], map {'k': 1}['k'] FROM data LIMIT 1`, 1, [0, '[1, 2]', 1]],
  [`SELECT * EXCLUDE (returned) REPLACE (units * 2 AS units) FROM data LIMIT 2`, 2],
  [`SELECT COLUMNS('units|product') FROM data LIMIT 2`, 2],
  [`SELECT min(COLUMNS(* EXCLUDE (returned))) FROM data`, 1],
  [`SELECT "Revenue (€)" AS r, (r - avg(r) OVER ()) / stddev(r) OVER () AS z FROM data QUALIFY abs(z) > 1.5 LIMIT 5`, 5],
  [`SELECT DISTINCT ON ("Region") "Region", units FROM data ORDER BY "Region", units DESC`, 4, ['East', 6]],
  [`SELECT * FROM data USING SAMPLE 10 ROWS`, 10],
  [`SELECT count(*) BETWEEN 0 AND 2000 FROM data TABLESAMPLE 10%`, 1, [true]],
  [`SELECT * FROM data ORDER BY random() LIMIT 3`, 3],
  [`SELECT * FROM data ORDER BY units DESC NULLS LAST, product ASC LIMIT 5 OFFSET 5`, 5],
  [`SELECT v.* FROM (VALUES (1, 'a'), (2, 'b')) AS v(n, s)`, 2, [1, 'a']],
  [`SELECT 'a' LIKE 'b' ESCAPE '!', 'x' SIMILAR TO 'x', 1 IS DISTINCT FROM 2, NOT true, 1 IN (1, 2), 2 = ANY ([1, 2])`, 1, [false, true, true, false, true, true]],
  [`SELECT json_extract_string('{"a": {"b": 1}}', '$.a.b'), '{"a": 1}'::JSON ->> '$.a'`, 1, ['1', '1']],
  [`SELECT data FROM data LIMIT 1`, 1],
  [`SELECT d.product FROM data AS d WHERE d.product COLLATE NOCASE = 'PRODUCT 1' LIMIT 1`, 1, ['Product 1']],
];

/** Questions of analysts that must get through, by the table they are about. */
export const LEGITIMATE: Readonly<
  Record<string, { readonly table: TestTable<Record<string, unknown>>; readonly queries: readonly LegitimateQuery[] }>
> = {
  sales: { table: SALES, queries: SALES_QUERIES },
  readings: { table: READINGS, queries: READING_QUERIES },
  staff: { table: STAFF, queries: STAFF_QUERIES },
  tickets: { table: TICKETS, queries: TICKET_QUERIES },
  prices: { table: PRICES, queries: PRICE_QUERIES },
};

/**
 * What a model may write in good faith and the gate refuses, with a part of its advice. The list of a PIVOT would have to be read
 * first, by a statement that makes a type; a WITH query named as the table would let a name mean two things; a value of unknown
 * size is what the limits of the engine do not hold.
 */
export const REFUSED: readonly (readonly [statement: string, advice: string])[] = [
  ['PIVOT data ON "Region" USING sum(units)', 'PIVOT only with a list of values'],
  ['WITH data AS (SELECT * FROM data WHERE units > 1) SELECT count(*) FROM data', `can't be named "data"`],
  [`SELECT "Region", repeat('#', count(*)) FROM data GROUP BY 1`, 'least(…, 1000)'],
];
