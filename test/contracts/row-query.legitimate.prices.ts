import {
  type LegitimateQuery,
  count,
  deviation,
  distinct,
  grouped,
  line,
  mean,
  quantile,
  sum,
} from './row-query.legitimate.figures.js';
import { PRICES } from './row-query.legitimate.tables.js';

const { rows } = PRICES;
const PAPERS = grouped(rows, ({ ticker }) => ticker);
const abc = PAPERS.get('ABC') ?? [];
const days = abc.length;
const months = distinct(rows, ({ day }) => day.getUTCMonth());
const [begin, end] = [abc[0], abc.at(-1)];
const gain = (end?.close ?? 0) / (begin?.close ?? 1) - 1;
const changes = abc.slice(1).map(({ close }, index) => close / (abc[index]?.close ?? 1) - 1);

/** What people ask about prices day by day, as a model writes it. */
// prettier-ignore
export const PRICE_QUERIES: readonly LegitimateQuery[] = [
  [`SELECT ticker, count(*) AS days, min(low) AS low, max(high) AS high FROM data GROUP BY ticker ORDER BY ticker`, 3, ['ABC', days, Math.min(...abc.map((r) => r.low)), Math.max(...abc.map((r) => r.high))]],
  [`SELECT ticker, arg_max(close, day) / arg_min(close, day) - 1 AS gain FROM data GROUP BY ticker ORDER BY ticker`, 3, ['ABC', gain]],
  [`SELECT ticker, last(close ORDER BY day) - first(close ORDER BY day) AS change FROM data GROUP BY ticker ORDER BY ticker`, 3, ['ABC', (end?.close ?? 0) - (begin?.close ?? 0)]],
  [`SELECT DISTINCT ticker, first_value(close) OVER w AS began, last_value(close) OVER w AS ended FROM data WINDOW w AS (PARTITION BY ticker ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) ORDER BY ticker`, 3, ['ABC', begin?.close ?? 0, end?.close ?? 0]],
  [`WITH r AS (SELECT ticker, day, close / lag(close) OVER (PARTITION BY ticker ORDER BY day) - 1 AS ret FROM data) SELECT ticker, avg(ret) AS mean, stddev_samp(ret) AS risk FROM r WHERE ret IS NOT NULL GROUP BY ticker ORDER BY ticker`, 3, ['ABC', mean(changes, (c) => c), deviation(changes, (c) => c)]],
  [`WITH r AS (SELECT day, ln(close) - ln(lag(close) OVER (ORDER BY day)) AS ret FROM data WHERE ticker = 'ABC') SELECT exp(sum(ret)) - 1 AS total, stddev(ret) * sqrt(252) AS yearly FROM r`, 1, [gain]],
  [`SELECT product(1 + ret) - 1 AS total FROM (SELECT close / lag(close) OVER (ORDER BY day) - 1 AS ret FROM data WHERE ticker = 'ABC')`, 1, [gain]],
  [`SELECT day, close, avg(close) OVER (ORDER BY day ROWS BETWEEN 19 PRECEDING AND CURRENT ROW) AS sma20 FROM data WHERE ticker = 'ABC' ORDER BY day`, days, ['2024-01-01T00:00:00.000Z', begin?.close ?? 0, begin?.close ?? 0]],
  [`SELECT day, avg(close) OVER w AS mid, avg(close) OVER w + 2 * stddev_pop(close) OVER w AS upper, avg(close) OVER w - 2 * stddev_pop(close) OVER w AS lower FROM data WHERE ticker = 'XYZ' WINDOW w AS (ORDER BY day ROWS 19 PRECEDING)`, days],
  [`WITH a AS (SELECT day, close, avg(close) OVER (ORDER BY day ROWS 4 PRECEDING) AS fast, avg(close) OVER (ORDER BY day ROWS 19 PRECEDING) AS slow FROM data WHERE ticker = 'ABC'), b AS (SELECT *, lag(fast > slow) OVER (ORDER BY day) AS before FROM a) SELECT day, close FROM b WHERE fast > slow AND before = false ORDER BY day LIMIT 1`, 1],
  [`SELECT ticker, max(high - low) AS widest, arg_max(day, high - low) AS on_day FROM data GROUP BY ticker ORDER BY ticker`, 3, ['ABC', Math.max(...abc.map((r) => r.high - r.low))]],
  [`SELECT day, ticker, close FROM data WHERE close > open * 1.05 ORDER BY day, ticker`, count(rows, (r) => r.close > r.open * 1.05)],
  [`SELECT ticker, count_if(close > open) AS up, count_if(close < open) AS down, round(100 * avg((close > open)::INT), 1) AS pct FROM data GROUP BY ticker ORDER BY ticker`, 3, ['ABC', count(abc, (r) => r.close > r.open), count(abc, (r) => r.close < r.open)]],
  [`SELECT date_trunc('month', day) AS month, sum(volume) AS volume, sum(close * volume) / sum(volume) AS vwap FROM data GROUP BY month ORDER BY month`, months, ['2024-01-01T00:00:00.000Z', sum(rows.filter((r) => r.day.getUTCMonth() === 0), (r) => r.volume)]],
  [`SELECT date_trunc('week', day)::DATE AS week, ticker, first(open ORDER BY day) AS o, max(high) AS h, min(low) AS l, last(close ORDER BY day) AS c, sum(volume) AS v FROM data GROUP BY week, ticker ORDER BY week, ticker`, 72, ['2024-01-01T00:00:00.000Z', 'ABC', begin?.open ?? 0]],
  [`SELECT a.day, a.close AS abc, b.close AS def, a.close / b.close AS ratio FROM data a JOIN data b USING (day) WHERE a.ticker = 'ABC' AND b.ticker = 'DEF' ORDER BY a.day`, days],
  [`SELECT corr(a.close, b.close) AS r FROM data a JOIN data b ON a.day = b.day AND a.ticker = 'ABC' AND b.ticker = 'DEF'`, 1],
  [`SELECT a.ticker AS one, b.ticker AS other, corr(a.close, b.close) AS r FROM data a JOIN data b ON a.day = b.day AND a.ticker < b.ticker GROUP BY ALL ORDER BY ALL`, 3, ['ABC', 'DEF']],
  [`SELECT max(CASE WHEN ticker = 'ABC' THEN close END) AS abc, max(CASE WHEN ticker = 'XYZ' THEN close END) AS xyz, day FROM data GROUP BY day ORDER BY day LIMIT 1`, 1, [begin?.close ?? 0]],
  [`PIVOT (SELECT day, ticker, close FROM data) ON ticker IN ('ABC', 'DEF', 'XYZ') USING first(close) GROUP BY day ORDER BY day`, days],
  [`WITH p AS (PIVOT (SELECT day, ticker, close FROM data) ON ticker IN ('ABC', 'DEF') USING max(close)) SELECT count(*) FROM p WHERE "ABC" > "DEF"`, 1, [0]],
  [`SELECT ticker, regr_slope(close, epoch(day) / 86400) AS per_day, regr_r2(close, epoch(day)) AS r2 FROM data GROUP BY ticker ORDER BY ticker`, 3, ['ABC', line(abc, (r) => +r.day / 86_400_000, (r) => r.close)[0] ?? 0]],
  [`SELECT corr(volume, epoch(day)) AS r FROM data WHERE ticker = 'ABC'`, 1, [1]],
  [`WITH t AS (SELECT row_number() OVER (ORDER BY day) AS x, close AS y FROM data WHERE ticker = 'DEF') SELECT regr_intercept(y, x) + regr_slope(y, x) * (max(x) + 30) AS forecast FROM t`, 1],
  [`WITH peak AS (SELECT day, close, max(close) OVER (ORDER BY day) AS top FROM data WHERE ticker = 'ABC') SELECT min(close / top - 1) AS drawdown, arg_min(day, close / top - 1) AS at FROM peak`, 1],
  [`SELECT day, close, close - lag(close, 5) OVER (ORDER BY day) AS in_five_days FROM data WHERE ticker = 'ABC' QUALIFY in_five_days IS NOT NULL ORDER BY day`, days - 5],
  [`SELECT day, lead(close) OVER (ORDER BY day) > close AS rises FROM data WHERE ticker = 'ABC' ORDER BY day DESC LIMIT 1`, 1, [(end?.day ?? new Date(0)).toISOString(), null]],
  [`SELECT nth_value(close, 3) OVER (PARTITION BY ticker ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS third FROM data WHERE ticker = 'ABC' LIMIT 1`, 1, [abc[2]?.close ?? 0]],
  [`SELECT ticker, quantile_cont(close, 0.05) AS var5, quantile_disc(close, 0.5) FROM data GROUP BY ticker ORDER BY ticker`, 3, ['ABC', quantile(abc, 0.05, (r) => r.close)]],
  [`SELECT width, count(*) FROM (SELECT floor((high - low) / 4)::INT AS width FROM data) GROUP BY width ORDER BY width`, distinct(rows, (r) => Math.floor((r.high - r.low) / 4))],
  [`SELECT width_bucket, count(*) FROM (SELECT least(greatest(floor((close - 100) / 5)::INT, 0), 10) AS width_bucket FROM data WHERE ticker = 'ABC') GROUP BY 1 ORDER BY 1`, distinct(abc, (r) => Math.floor((r.close - 100) / 5))],
  [`SELECT day FROM data WHERE ticker = 'ABC' AND close = (SELECT min(close) FROM data WHERE ticker = 'ABC') ORDER BY day LIMIT 1`, 1],
  [`SELECT dayname(day) AS weekday, avg(close - open) AS move FROM data GROUP BY weekday, isodow(day) ORDER BY isodow(day)`, 5, ['Monday']],
  [`SELECT d.day FROM (SELECT unnest(generate_series(DATE '2024-01-01', DATE '2024-01-31', INTERVAL '1 day'))::DATE AS day) d WHERE d.day NOT IN (SELECT day::DATE FROM data) ORDER BY d.day`, 8, ['2024-01-06T00:00:00.000Z']],
  [`SELECT max(close) FILTER (WHERE day >= '2024-02-01' AND day < '2024-03-01') - max(close) FILTER (WHERE day < '2024-02-01') AS diff FROM data WHERE ticker = 'ABC'`, 1],
  [`SELECT quarter(day) AS q, ticker, sum(volume) AS v, rank() OVER (PARTITION BY quarter(day) ORDER BY sum(volume) DESC) AS place FROM data GROUP BY 1, 2 ORDER BY q, place, ticker`, 6],
  [`SELECT ticker, sum(volume) AS v FROM data GROUP BY ticker UNION ALL BY NAME SELECT 'all' AS ticker, sum(volume) AS v FROM data ORDER BY v DESC LIMIT 1`, 1, ['all', sum(rows, (r) => r.volume)]],
  [`WITH latest AS (SELECT max(day) AS day FROM data) SELECT d.ticker, d.close FROM data d JOIN latest USING (day) ORDER BY ticker`, 3, ['ABC', end?.close ?? 0]],
  [`SELECT d.ticker, x.day, x.close FROM (SELECT DISTINCT ticker FROM data) d, LATERAL (SELECT day, close FROM data i WHERE i.ticker = d.ticker ORDER BY close DESC, day LIMIT 2) x ORDER BY 1, 3 DESC`, 6],
  [`SELECT w.day, p.close FROM (VALUES (TIMESTAMP '2024-01-06 12:00:00'), (TIMESTAMP '2024-02-03')) w(day) ASOF JOIN (SELECT * FROM data WHERE ticker = 'ABC') p ON w.day >= p.day ORDER BY 1`, 2, ['2024-01-06T12:00:00.000Z', abc[4]?.close ?? 0]],
  [`SELECT list(close ORDER BY day)[-5:] AS last5, list_max(list(close)) - list_min(list(close)) AS span FROM data WHERE ticker = 'ABC'`, 1],
  [`SELECT ticker, list_aggregate(list(close), 'stddev_samp') AS sd FROM data GROUP BY ticker ORDER BY ticker`, 3, ['ABC', deviation(abc, (r) => r.close)]],
  [`SELECT ticker, list_reduce(list(close - open ORDER BY day), (a, b) -> a + b) AS total FROM data GROUP BY ticker ORDER BY ticker`, 3, ['ABC', sum(abc, (r) => r.close - r.open)]],
  [`SELECT list_dot_product([1.0, 2.0], [3.0, 4.0]) AS dot, list_cosine_similarity([1.0, 0.0], [1.0, 0.0]) AS same`, 1, [11, 1]],
  [`SELECT ticker, to_days(count(*)::INT) AS span, make_date(2024, 1, 1) AS d, make_timestamp(2024, 1, 2, 3, 4, 5.5) FROM data GROUP BY ticker`, 3],
  [`SELECT last_day(day) AS month_end, max(day) FROM data GROUP BY 1 ORDER BY 1`, months, ['2024-01-31T00:00:00.000Z', '2024-01-31T00:00:00.000Z']],
  [`SELECT strptime('03/02/2024', '%d/%m/%Y') + INTERVAL '2 weeks' AS later, DATE '2024-03-31' - INTERVAL 1 MONTH AS before, DATE '2024-03-01' - DATE '2024-02-01' AS days`, 1, ['2024-02-17T00:00:00.000Z', '2024-02-29T00:00:00.000Z', 29]],
  [`SELECT t.ticker, t.r.lo, (t.r).hi FROM (SELECT ticker, {'lo': min(low), 'hi': max(high)} AS r FROM data GROUP BY ticker) t ORDER BY 1`, 3, ['ABC', Math.min(...abc.map((r) => r.low))]],
  [`SELECT ticker, map_from_entries(list((strftime(day, '%b'), close))) IS NOT NULL FROM (SELECT ticker, day, close FROM data WHERE day(day) = 1) GROUP BY ticker`, 3],
  [`SELECT round(close, -1) AS tens, count(*) FROM data GROUP BY tens ORDER BY tens`, distinct(rows, (r) => Math.round(r.close / 10))],
  [`SELECT sign(close - open) AS direction, count(*) AS n FROM data GROUP BY direction ORDER BY direction`, distinct(rows, (r) => Math.sign(r.close - r.open)), [-1, count(rows, (r) => r.close < r.open)]],
  [`SELECT geomean(close), harmonic FROM (SELECT close, count(*) OVER () / sum(1 / close) OVER () AS harmonic FROM data WHERE ticker = 'ABC') GROUP BY harmonic`, 1],
  [`SELECT ticker, close FROM data WHERE day = (SELECT max(day) FROM data) ORDER BY close DESC FETCH FIRST 1 ROWS ONLY`, 1, ['XYZ']],
  [`SELECT ticker, sum(volume) AS v FROM data GROUP BY ticker ORDER BY v DESC LIMIT 50%`, 1],
  [`SELECT DISTINCT ON (ticker) ticker, day, volume FROM data ORDER BY ticker, volume DESC, day`, 3, ['ABC']],
  [`SELECT day, SUM(volume) OVER (PARTITION BY ticker, date_trunc('month', day) ORDER BY day) AS mtd FROM data WHERE ticker = 'ABC' ORDER BY day LIMIT 2`, 2, ['2024-01-01T00:00:00.000Z', 1000]],
  [`SELECT bar(avg(close), 0, 300, 20) AS drawn, ticker FROM data GROUP BY ticker ORDER BY ticker`, 3],
  [`SELECT TRY(ln(close - 1000)) IS NULL AS undefined, try_cast('x' AS DOUBLE) FROM data LIMIT 1`, 1, [true, null]],
  [`SELECT i AS decile, quantile_cont(close, 0.1) FROM data, range(1, 4) t(i) GROUP BY i ORDER BY i`, 3, [1, quantile(rows, 0.1, (r) => r.close)]],
  [`SELECT count(*) FROM data WHERE day::DATE IN (DATE '2024-01-02', '2024-01-03'::DATE) AND ticker NOT IN ('XYZ')`, 1, [4]],
];
