import type { Cell } from '../../src/ports/table.js';
import { SALES, STAFF, type TestTable, TICKETS } from './row-query.legitimate.tables.js';

/** A query of an analyst, how many rows it gives, and the cells with which the first row begins: computed by hand, without a database. */
export type LegitimateQuery = readonly [sql: string, rows: number, first?: readonly Cell[]];

/** What people ask about a list of people, as a model writes it. */
// prettier-ignore
const STAFF_QUERIES: readonly LegitimateQuery[] = [
  [`SELECT salary FROM data ORDER BY salary DESC OFFSET 1 LIMIT 1`, 1, [91988.5]],
  [`SELECT * FROM (SELECT *, dense_rank() OVER (PARTITION BY department ORDER BY salary DESC) AS place FROM data) WHERE place <= 2 ORDER BY department, place`, 8],
  [`SELECT department, full_name, salary FROM data QUALIFY rank() OVER (PARTITION BY department ORDER BY salary DESC) = 1`, 4],
  [`SELECT full_name, ntile(4) OVER (ORDER BY salary) AS quartile, percent_rank() OVER (ORDER BY salary), cume_dist() OVER (ORDER BY salary) FROM data ORDER BY salary LIMIT 4`, 4],
  [`SELECT d.full_name, t.mean FROM data d, LATERAL (SELECT avg(e.salary) AS mean FROM data e WHERE e.department = d.department) t WHERE d.salary < t.mean`, 28],
  [`SELECT department, remote, count(*), grouping_id(department, remote) AS level FROM data GROUP BY CUBE (department, remote)`, 15],
  [`SELECT CASE WHEN GROUPING(department) = 1 THEN 'All' ELSE department END AS dept, sum(salary) AS total FROM data GROUP BY GROUPING SETS ((department), ()) ORDER BY total DESC`, 5, ['All', 4040700]],
  [`SELECT substring(email, position('@' IN email) + 1) AS domain, count(*) FROM data GROUP BY domain ORDER BY domain`, 2, ['example.com', 30]],
  [`SELECT skill, count(*) AS n FROM data, unnest(string_split(skills, ';')) AS s(skill) WHERE skills <> '' GROUP BY skill ORDER BY n DESC, skill`, 6, ['python', 24]],
  [`SELECT count(*) FROM data WHERE list_contains(string_split(skills, ';'), 'sql')`, 1, [24]],
  [`SELECT len(list_filter(str_split(skills, ';'), s -> s <> '')) AS skills_known, count(*) FROM data GROUP BY 1 ORDER BY 1`, 4, [0, 12]],
  [`SELECT full_name, list_aggregate(list_transform(string_split(full_name, ' '), w -> left(w, 1)), 'string_agg', '') AS initials FROM data LIMIT 3`, 3, ['Ana Moser', 'AM']],
  [`SELECT array_to_string(list_sort(list_distinct(flatten(list(string_split(skills, ';'))))), ', ') AS every_skill FROM data WHERE skills != ''`, 1, ['excel, java, python, sales, sql, statistics']],
  [`SELECT strip_accents(full_name) AS plain FROM data WHERE strip_accents(full_name) <> full_name ORDER BY 1 LIMIT 1`, 1, ['Celik Moser']],
  [`SELECT full_name FROM data WHERE full_name ILIKE '%o''neill' ORDER BY employee_id`, 20, ["Bo O'Neill"]],
  [`SELECT full_name FROM data WHERE regexp_matches(full_name, '^[AE]')`, 12],
  [`SELECT full_name FROM data WHERE starts_with(full_name, 'Ana') OR contains(full_name, 'Ruiz')`, 28],
  [`SELECT stddev(salary), var_pop(salary), quantile_cont(salary, 0.9), mad(salary) FROM data`, 1, [15060.993391843]],
  [`SELECT corr(rating, salary) AS r, covar_samp(rating, salary), regr_intercept(salary, rating), regr_r2(salary, rating) FROM data WHERE rating IS NOT NULL`, 1],
  [`SELECT date_part('year', age(TIMESTAMP '2024-01-01', hired)) AS years, count(*) FROM data GROUP BY years ORDER BY years`, 13, [2, 5]],
  [`SELECT monthname(hired) AS m, month(hired) AS number, count(*) FROM data GROUP BY ALL ORDER BY number`, 12, ['January', 1, 5]],
  [`WITH RECURSIVE tree AS (SELECT employee_id, full_name, 0 AS depth FROM data WHERE manager_id IS NULL UNION ALL SELECT d.employee_id, d.full_name, tree.depth + 1 FROM data d JOIN tree ON d.manager_id = tree.employee_id) SELECT depth, count(*) AS n FROM tree GROUP BY depth ORDER BY depth`, 4, [0, 1]],
  [`WITH stats AS (SELECT department, avg(salary) AS m FROM data GROUP BY 1), best AS (SELECT department FROM stats ORDER BY m DESC LIMIT 1) SELECT d.full_name FROM data d SEMI JOIN best USING (department)`, 15],
  [`SELECT d.department FROM data d ANTI JOIN (SELECT department FROM data WHERE salary > 90000) h ON d.department = h.department GROUP BY 1`, 2],
  [`SELECT b.name, count(d.salary) FROM (VALUES ('low', 0, 55000), ('middle', 55000, 75000), ('high', 75000, 1e9)) AS b(name, lo, hi) LEFT JOIN data d ON d.salary >= b.lo AND d.salary < b.hi GROUP BY b.name ORDER BY b.name`, 3, ['high', 20]],
  [`SELECT * RENAME (full_name AS name) FROM data LIMIT 2`, 2],
  [`SELECT bool_and(remote), bool_or(remote), count_if(remote), sum(remote::INT) FROM data`, 1, [false, true, 20, 20]],
  [`SELECT UNNEST(struct_pack(lowest := min(salary), highest := max(salary))) FROM data`, 1, [42000.5, 91994.5]],
  [`SELECT md5(full_name) AS pseudonym, salary FROM data LIMIT 3`, 3],
  [`SELECT a.full_name, b.full_name, jaro_winkler_similarity(a.full_name, b.full_name) AS alike, levenshtein(a.full_name, b.full_name) AS steps FROM data a JOIN data b ON a.employee_id < b.employee_id WHERE a.full_name <> b.full_name ORDER BY alike DESC LIMIT 3`, 3],
];

/** What people ask about cases that are opened and closed, as a model writes it. */
// prettier-ignore
const TICKET_QUERIES: readonly LegitimateQuery[] = [
  [`SELECT yearweek(opened) AS w, count(*) FROM data GROUP BY w`, 22],
  [`SELECT * FROM (SELECT channel, priority FROM data) PIVOT (count(*) FOR priority IN ('low', 'high') GROUP BY channel)`, 3],
  [`SELECT * FROM (SELECT ticket, cost, satisfaction::DOUBLE AS satisfaction FROM data LIMIT 2) UNPIVOT INCLUDE NULLS (value FOR what IN (cost, satisfaction))`, 4, [1000, 'cost', 5]],
  [`SELECT count(*) FROM data WHERE subject ~ '(?i)login' OR subject LIKE '%?'`, 1],
  [`SELECT regexp_replace(subject, '[^A-Za-z ]', '', 'g') AS plain, count(*) FROM data GROUP BY plain ORDER BY plain`, 5, ['How to export', 100]],
  [`SELECT lower(word) AS word, count(*) AS n FROM (SELECT unnest(regexp_split_to_array(subject, '\\s+')) AS word FROM data) GROUP BY 1 ORDER BY n DESC, 1 LIMIT 3`, 3, ['login', 200]],
  [`SELECT capital, count(*) FROM (SELECT unnest(regexp_extract_all(subject, '[A-Z][a-z]+')) AS capital FROM data) GROUP BY capital ORDER BY capital`, 4, ['How', 100]],
  [`SELECT count(*) FROM data WHERE json_contains(labels, '"billing"')`, 1, [166]],
  [`SELECT j.value ->> '$' AS label, count(*) FROM data, json_each(labels) AS j GROUP BY 1 ORDER BY 1`, 4, ['all', 416]],
  [`SELECT to_json({'priority': priority, 'n': count(*)}) AS line FROM data GROUP BY priority ORDER BY priority LIMIT 1`, 1, ['{"priority":"high","n":100}']],
  [`SELECT json_object('n', count(*), 'cost', sum(cost)) FROM data`, 1],
  [`SELECT json_group_array(country) FROM (SELECT DISTINCT country FROM data ORDER BY country)`, 1, ['["BR","DE","FR","IN","JP","US"]']],
  [`DESCRIBE data`, 10, ['ticket', 'BIGINT']],
  [`SUMMARIZE data`, 10, ['ticket']],
  [`SELECT day, count(*) AS open_then FROM (SELECT unnest(range(TIMESTAMP '2022-01-10', TIMESTAMP '2022-01-15', INTERVAL 1 DAY)) AS day) JOIN data ON opened <= day AND (closed IS NULL OR closed > day) GROUP BY day ORDER BY day`, 5],
  [`SELECT hour(opened) AS h, dayofweek(opened) AS d, count(*) AS n FROM data GROUP BY ALL ORDER BY n DESC LIMIT 5`, 5],
  [`SELECT count(*) FROM data WHERE opened > now() - INTERVAL '7 days'`, 1, [0]],
  [`SELECT count(*) FROM data WHERE opened::DATE < current_date AND opened < today()`, 1, [500]],
  [`SELECT (count_if(satisfaction >= 4) - count_if(satisfaction <= 2)) * 100.0 / count(satisfaction) AS balance FROM data`, 1, [0]],
  [`SELECT weighted_avg(satisfaction, cost) AS w, avg(satisfaction) FROM data`, 1],
  [`SELECT ticket FROM data WHERE (priority, channel) IN (('urgent', 'phone'), ('high', 'chat'))`, 67],
  [`SELECT ticket FROM data WHERE cost > ALL (SELECT cost FROM data WHERE priority = 'low')`, 10],
  [`SELECT * FROM data USING SAMPLE 20 ROWS (reservoir, 42)`, 20],
  [`SELECT count(*) > 0 FROM data TABLESAMPLE BERNOULLI (50%)`, 1, [true]],
  [`SELECT try_cast(subject AS INTEGER) IS NULL AS text_only, try_strptime('2022-13-01', '%Y-%m-%d') IS NULL AS no_day FROM data LIMIT 1`, 1, [true, true]],
  [`SELECT concat_ws(' / ', channel, priority, NULL) AS path, printf('%05d', ticket) AS padded, format('{:.1f} €', cost) FROM data ORDER BY ticket LIMIT 1`, 1, ['email / low', '01000', '5.0 €']],
  [`WITH first_seen AS (SELECT country, min(date_trunc('month', opened)) AS cohort FROM data GROUP BY country) SELECT cohort, date_diff('month', cohort, date_trunc('month', opened)) AS later, count(DISTINCT country) FROM data JOIN first_seen USING (country) GROUP BY ALL ORDER BY ALL`, 5],
];

/** What people ask about sales, as a model writes it. */
// prettier-ignore
const SALES_QUERIES: readonly LegitimateQuery[] = [
  [`FROM data LIMIT 3`, 3, ['2024-01-01T00:00:00.000Z', 'North', null]],
  [`SELECT count(*) FROM data;`, 1, [2000]],
  [`SELECT max(UNITS) FROM Data`, 1, [6]],
  [`SELECT count(*) FROM data -- how many`, 1, [2000]],
  [`SELECT dayname("Order Date"), isodow("Order Date"), count(*) FROM data GROUP BY 1, 2 ORDER BY 2`, 7, ['Monday', 1, 288]],
  [`SELECT time_bucket(INTERVAL '7 days', "Order Date") AS w, max(units) FROM data GROUP BY w ORDER BY w`, 12],
  [`SELECT count(*) FILTER (WHERE returned) * 100.0 / count(*) AS share FROM data`, 1, [10]],
  [`SELECT product, count(*) FROM data WHERE product IS NOT NULL GROUP BY product HAVING count(*) > 10`, 5],
  [`SELECT median(units), quantile_cont("Revenue (€)", 0.95), mode("Region"), stddev(units), var_samp(units) FROM data`, 1, [3, 141.075, 'North', 1.9998733701783]],
  [`SELECT percentile_cont(0.9) WITHIN GROUP (ORDER BY "Revenue (€)") FROM data`, 1, [133.65]],
  [`SELECT corr(units, "Revenue (€)"), covar_pop(units, "Revenue (€)"), regr_slope("Revenue (€)", units), regr_r2("Revenue (€)", units) FROM data`, 1, [-0.001277851734462]],
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
  [`UNPIVOT (SELECT sum(units)::DOUBLE AS u, sum("Revenue (€)")::DOUBLE AS r FROM data) ON u, r`, 2, ['u', 5995]],
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
