import { STAFF_QUERIES } from './row-query.legitimate.staff.js';
import { TICKET_QUERIES } from './row-query.legitimate.tickets.js';
import { type LegitimateQuery, count, deviation, line, quantile, sum } from './row-query.legitimate.figures.js';
import { SALES, STAFF, TICKETS, type TestTable } from './row-query.legitimate.tables.js';

const { rows } = SALES;

/** What people ask about sales, as a model writes it. */
// prettier-ignore
const SALES_QUERIES: readonly LegitimateQuery[] = [
  [`FROM data LIMIT 3`, 3, ['2024-01-01T00:00:00.000Z', 'North', null]],
  [`SELECT count(*) FROM data;`, 1, [2000]],
  [`SELECT count(*) FROM data -- how many`, 1, [2000]],
  [`SELECT dayname("Order Date"), isodow("Order Date"), count(*) FROM data GROUP BY 1, 2 ORDER BY 2`, 7, ['Monday', 1, count(rows, (r) => r['Order Date'].getUTCDay() === 1)]],
  [`SELECT time_bucket(INTERVAL '7 days', "Order Date") AS w, max(units) FROM data GROUP BY w ORDER BY w`, 12],
  [`SELECT count(*) FILTER (WHERE returned) * 100.0 / count(*) AS share FROM data`, 1, [10]],
  [`SELECT product, count(*) FROM data WHERE product IS NOT NULL GROUP BY product HAVING count(*) > 10`, 5],
  [`SELECT median(units), quantile_cont("Revenue (€)", 0.95), mode("Region"), stddev(units), var_samp(units) FROM data`, 1, [3, quantile(rows, 0.95, (r) => r['Revenue (€)']), 'North', deviation(rows, (r) => r.units)]],
  [`SELECT percentile_cont(0.9) WITHIN GROUP (ORDER BY "Revenue (€)") FROM data`, 1, [quantile(rows, 0.9, (r) => r['Revenue (€)'])]],
  [`SELECT corr(units, "Revenue (€)"), covar_pop(units, "Revenue (€)"), regr_slope("Revenue (€)", units), regr_r2("Revenue (€)", units) FROM data`, 1, [line(rows, (r) => r.units, (r) => r['Revenue (€)'])[1] ?? 0]],
  [`SELECT skewness("Revenue (€)"), kurtosis("Revenue (€)"), mad("Revenue (€)"), entropy("Region") FROM data`, 1],
  [`SELECT approx_count_distinct(product), approx_quantile(units, 0.5), approx_top_k(product, 3) FROM data`, 1],
  [`SELECT arg_max("Order Date", "Revenue (€)"), min_by(product, units), first(product ORDER BY units), any_value(product) FROM data`, 1, ['2024-01-05T03:00:00.000Z', 'Product 2']],
  [`SELECT string_agg(DISTINCT "Region", ', ' ORDER BY "Region"), list(DISTINCT units), bool_or(returned) FROM data`, 1, ['East, North, South, West']],
  [`SELECT histogram("Revenue (€)", equi_width_bins(0, 150, 10, true)) FROM data`, 1],
  [`SELECT "Order Date", sum(units) OVER (ORDER BY "Order Date" RANGE BETWEEN INTERVAL 7 DAYS PRECEDING AND CURRENT ROW) FROM data`, 1000],
  [`SELECT lag(units) OVER w, lead(units, 2, 0) OVER w, first_value(units) OVER w, ntile(4) OVER w, percent_rank() OVER w FROM data WINDOW w AS (ORDER BY "Order Date")`, 1000, [null, 2, 0, 1, 0]],
  [`SELECT * FROM data d WHERE EXISTS (SELECT 1 FROM data e WHERE e.units > d.units + 5) LIMIT 3`, 3],
  [`SELECT product FROM data EXCEPT SELECT product FROM data WHERE "Region" = 'North'`, 0],
  [`SELECT product FROM data INTERSECT SELECT product FROM data WHERE "Region" = 'North'`, 6],
  [`UNPIVOT (SELECT sum(units)::DOUBLE AS u, sum("Revenue (€)")::DOUBLE AS r FROM data) ON u, r`, 2, ['u', sum(rows, (r) => r.units)]],
  [`SELECT "Region", product, sum(units) FROM data GROUP BY ROLLUP ("Region", product)`, 27],
  [`SELECT coalesce(product, 'none'), nullif(units, 0), ifnull(product, ''), if(returned, 1, 0) FROM data LIMIT 5`, 5],
  [`SELECT round("Revenue (€)", 1), floor(units), ceil("Revenue (€)"), abs(-units), units % 3, units // 2, power(units, 2), sqrt(units), ln(units + 1) FROM data LIMIT 5`, 5],
  [`SELECT try_cast(product AS INTEGER), units::DOUBLE, CAST("Order Date" AS DATE), units::DECIMAL(10, 2), "Revenue (€)"::VARCHAR FROM data LIMIT 5`, 5],
  [`SELECT upper("Region") || '-' || product, substr(product, 1, 3), replace(product, ' ', '_'), split_part(product, ' ', 2), length(product), trim(product), regexp_extract(product, '(\\d+)', 1) FROM data LIMIT 5`, 5],
  [`SELECT lpad(units::VARCHAR, 3, '0'), printf('%.2f', "Revenue (€)"), format('{:,}', units), repeat('*', 5) FROM data LIMIT 5`, 5, ['000', '0.00', '0', '*****']],
  [`SELECT year("Order Date"), quarter("Order Date"), month("Order Date"), week("Order Date"), dayofyear("Order Date"), epoch("Order Date") FROM data LIMIT 2`, 2, [2024, 1, 1, 1, 1, 1704067200]],
  [`SELECT d.day, count(x.units) FROM generate_series(TIMESTAMP '2024-01-01', TIMESTAMP '2024-01-31', INTERVAL 1 DAY) AS d(day) LEFT JOIN data x ON date_trunc('day', x."Order Date") = d.day GROUP BY 1 ORDER BY 1`, 31, ['2024-01-01T00:00:00.000Z', 24]],
  [`SELECT list_transform([1, 2], x -> x + 1), list_filter([1, 2], x -> x > 1), [x * 2 FOR x IN [1, 2] IF x > 1], list_sum([1, 2])`, 1, ['[2, 3]', '[2]', '[4]', 3]],
  [`SELECT * EXCLUDE (returned) REPLACE (units * 2 AS units) FROM data LIMIT 2`, 2],
  [`SELECT min(COLUMNS(* EXCLUDE (returned))) FROM data`, 1],
  [`SELECT DISTINCT ON ("Region") "Region", units FROM data ORDER BY "Region", units DESC`, 4, ['East', 6]],
  [`SELECT count(*) BETWEEN 0 AND 2000 FROM data TABLESAMPLE 10%`, 1, [true]],
  [`SELECT * FROM data ORDER BY random() LIMIT 3`, 3],
  [`SELECT v.* FROM (VALUES (1, 'a'), (2, 'b')) AS v(n, s)`, 2, [1, 'a']],
  [`SELECT 'a' LIKE 'b' ESCAPE '!', 'x' SIMILAR TO 'x', 1 IS DISTINCT FROM 2, NOT true, 1 IN (1, 2), 2 = ANY ([1, 2])`, 1, [false, true, true, false, true, true]],
  [`SELECT json_extract_string('{"a": {"b": 1}}', '$.a.b'), '{"a": 1}'::JSON ->> '$.a'`, 1, ['1', '1']],
  [`SELECT d.product FROM data AS d WHERE d.product COLLATE NOCASE = 'PRODUCT 1' LIMIT 1`, 1, ['Product 1']],
  [`SELECT arg_min(product, units), max_by(product, units), last(units ORDER BY "Order Date"), quantile_disc(units, 0.5), stddev_pop(units), stddev_samp(units), regr_count(units, "Revenue (€)"), geomean(units + 1), product(1.0), count(DISTINCT ("Region", units)) FROM data`, 1],
  [`SELECT last_value(units) OVER w, nth_value(units, 2) OVER w, first_value(product IGNORE NULLS) OVER w FROM data WINDOW w AS (ORDER BY "Order Date" ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) LIMIT 1`, 1, [4, 1, 'Product 1']],
  [`SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY units) FROM data`, 1, [3]],
  [`SELECT greatest(1, 2), sign(-3), exp(0), TRY(ln(-1)), bar(5, 0, 10, 4) FROM data LIMIT 1`, 1, [2, -1, 1, null]],
  [`SELECT list_avg([1, 3]), list_max([1, 3]), list_min([1, 3]), list_reduce([1, 3], (a, b) -> a + b), list_dot_product([1.0, 2.0], [3.0, 4.0]), list_cosine_similarity([1.0, 0.0], [1.0, 0.0])`, 1, [2, 3, 1, 4, 11, 1]],
  [`SELECT json_extract('{"a": 1}', '$.a'), unnest(json_keys('{"a": 1}')), map_entries(map_from_entries([('a', 1)]))`, 1, ['1', 'a']],
  [`SELECT make_date(2024, 1, 2), make_timestamp(2024, 1, 2, 3, 4, 5.5), strptime('03/02/2024', '%d/%m/%Y'), day("Order Date"), timezone('Europe/Paris', timezone('UTC', "Order Date")), "Order Date" + to_days(1) FROM data ORDER BY "Order Date" FETCH FIRST 1 ROWS ONLY`, 1, ['2024-01-02T00:00:00.000Z', '2024-01-02T03:04:05.500Z', '2024-02-03T00:00:00.000Z', 1, '2024-01-01T01:00:00.000Z', '2024-01-02T00:00:00.000Z']],
];

/** Questions of analysts that must get through, by the table they are about. */
export const LEGITIMATE: Readonly<
  Record<string, { readonly table: TestTable<Record<string, unknown>>; readonly queries: readonly LegitimateQuery[] }>
> = {
  sales: { table: SALES, queries: SALES_QUERIES },
  staff: { table: STAFF, queries: STAFF_QUERIES },
  tickets: { table: TICKETS, queries: TICKET_QUERIES },
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
