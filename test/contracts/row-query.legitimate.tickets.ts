import { type LegitimateQuery, count, distinct, mean, quantile, sum, values } from './row-query.legitimate.figures.js';
import { TICKETS } from './row-query.legitimate.tables.js';

const { rows } = TICKETS;
const HOUR_MS = 3_600_000;
const hoursOf = ({ opened, closed }: (typeof rows)[number]): number | null =>
  closed ? (+closed - +opened) / HOUR_MS : null;
const monthOf = ({ opened }: (typeof rows)[number]): string => opened.toISOString().slice(0, 7);
const months = distinct(rows, monthOf);
const labelled = (label: string): number => count(rows, ({ labels }) => labels.includes(`"${label}"`));
const open = count(rows, ({ closed }) => closed === null);
const weeks = distinct(rows, ({ opened }) => Math.floor((+opened / 86_400_000 + 3) / 7));

/** What people ask about cases that are opened and closed, as a model writes it. */
// prettier-ignore
export const TICKET_QUERIES: readonly LegitimateQuery[] = [
  [`SELECT count(*) FILTER (WHERE closed IS NULL) AS still_open, count(closed) AS closed FROM data`, 1, [open, 500 - open]],
  [`SELECT avg(date_diff('hour', opened, closed)) AS hours FROM data`, 1, [mean(rows, hoursOf)]],
  [`SELECT median(epoch(closed - opened) / 3600) AS hours FROM data`, 1, [quantile(rows, 0.5, hoursOf)]],
  [`SELECT priority, round(avg(extract(epoch FROM (closed - opened))) / 3600, 1) AS mean_hours FROM data WHERE closed IS NOT NULL GROUP BY priority ORDER BY mean_hours DESC`, 4],
  [`SELECT priority, approx_quantile(date_diff('minute', opened, closed), 0.9) AS p90 FROM data GROUP BY priority`, 4],
  [`SELECT avg(closed - opened) AS typical, max(closed - opened) AS longest FROM data`, 1],
  [`SELECT date_trunc('month', opened) AS month, count(*) AS n FROM data GROUP BY month ORDER BY month`, months, ['2022-01-01T00:00:00.000Z', count(rows, (r) => monthOf(r) === '2022-01')]],
  [`WITH m AS (SELECT date_trunc('month', opened) AS month, count(*) AS n FROM data GROUP BY 1) SELECT month, n, n - lag(n) OVER (ORDER BY month) AS diff, round(100.0 * (n - lag(n) OVER (ORDER BY month)) / lag(n) OVER (ORDER BY month), 1) AS pct FROM m ORDER BY month`, months],
  [`SELECT strftime(opened, '%Y-W%V') AS week, count(*) FROM data GROUP BY week ORDER BY week`, weeks],
  [`SELECT yearweek(opened) AS w, count(*) FROM data GROUP BY w`, weeks],
  [`SELECT monthname(opened) AS name, count(*) AS n FROM data GROUP BY name, month(opened) ORDER BY month(opened)`, months],
  [`SELECT channel, priority, count(*) AS n FROM data GROUP BY channel, priority ORDER BY n DESC, channel, priority`, 12],
  [`PIVOT data ON priority IN ('low', 'medium', 'high', 'urgent') USING count(*) GROUP BY channel ORDER BY channel`, 3, ['chat']],
  [`SELECT * FROM (SELECT channel, priority FROM data) PIVOT (count(*) FOR priority IN ('low', 'high') GROUP BY channel)`, 3],
  [`PIVOT (SELECT channel, priority, cost FROM data) ON channel IN ('email', 'phone'), priority IN ('low', 'high') USING sum(cost)`, 1],
  [`UNPIVOT (SELECT sum(cost) AS cost, sum(satisfaction)::DOUBLE AS satisfaction FROM data) ON COLUMNS(*) INTO NAME figure VALUE total`, 2, ['cost', sum(rows, (r) => r.cost)]],
  [`SELECT * FROM (SELECT ticket, cost, satisfaction::DOUBLE AS satisfaction FROM data LIMIT 2) UNPIVOT INCLUDE NULLS (value FOR what IN (cost, satisfaction))`, 4, [1000, 'cost', 5]],
  [`SELECT country, count(*) AS n FROM data GROUP BY country ORDER BY n DESC, country LIMIT 3`, 3, ['DE', count(rows, (r) => r.country === 'DE')]],
  [`SELECT CASE WHEN country IN ('DE', 'FR') THEN 'Europe' WHEN country = 'US' THEN 'America' ELSE 'Other' END AS area, sum(cost) AS cost FROM data GROUP BY area ORDER BY area`, 3, ['America', sum(rows.filter((r) => r.country === 'US'), (r) => r.cost)]],
  [`SELECT country, avg(satisfaction) AS mean FROM data GROUP BY country HAVING count(satisfaction) >= 5 ORDER BY mean`, 6],
  [`SELECT count(*) FROM data WHERE lower(subject) LIKE '%login%'`, 1, [200]],
  [`SELECT count(*) FROM data WHERE subject ~ '(?i)login' OR subject LIKE '%?'`, 1],
  [`SELECT count(*) FROM data WHERE regexp_matches(subject, 'login|refund', 'i')`, 1, [300]],
  [`SELECT regexp_replace(subject, '[^A-Za-z ]', '', 'g') AS plain, count(*) FROM data GROUP BY plain ORDER BY plain`, 5, ['How to export', 100]],
  [`SELECT lower(word) AS word, count(*) AS n FROM (SELECT unnest(regexp_split_to_array(subject, '\\s+')) AS word FROM data) GROUP BY 1 ORDER BY n DESC, 1 LIMIT 3`, 3, ['login', 200]],
  [`SELECT capital, count(*) FROM (SELECT unnest(regexp_extract_all(subject, '[A-Z][a-z]+')) AS capital FROM data) GROUP BY capital ORDER BY capital`, 4, ['How', 100]],
  [`SELECT length(subject) AS l, count(*) FROM data GROUP BY l ORDER BY l`, distinct(rows, (r) => r.subject.length)],
  [`WITH l AS (SELECT unnest(from_json(labels, '["VARCHAR"]')) AS label FROM data) SELECT label, count(*) AS n FROM l GROUP BY label ORDER BY label`, 4, ['all', labelled('all')]],
  [`SELECT label, count(*) AS n FROM (SELECT unnest(labels::JSON::VARCHAR[]) AS label FROM data) GROUP BY label ORDER BY n DESC LIMIT 1`, 1, ['all', labelled('all')]],
  [`SELECT count(*) FROM data WHERE json_contains(labels, '"billing"')`, 1, [labelled('billing')]],
  [`SELECT j.value ->> '$' AS label, count(*) FROM data, json_each(labels) AS j GROUP BY 1 ORDER BY 1`, 4, ['all', labelled('all')]],
  [`SELECT json_array_length(labels) AS n, count(*) FROM data GROUP BY n ORDER BY n`, 2, [0, count(rows, (r) => r.labels === '[]')]],
  [`SELECT to_json({'priority': priority, 'n': count(*)}) AS line FROM data GROUP BY priority ORDER BY priority LIMIT 1`, 1, ['{"priority":"high","n":100}']],
  [`SELECT json_object('n', count(*), 'cost', sum(cost)) FROM data`, 1],
  [`SELECT json_group_array(country) FROM (SELECT DISTINCT country FROM data ORDER BY country)`, 1, ['["BR","DE","FR","IN","JP","US"]']],
  [`DESCRIBE data`, 10, ['ticket', 'BIGINT']],
  [`SUMMARIZE data`, 10, ['ticket']],
  [`SELECT column_name, approx_unique FROM (SUMMARIZE SELECT priority, cost FROM data)`, 2, ['priority', 4]],
  [`SELECT country, count(*) AS n, repeat('#', least(count(*) // 10, 40)::INT) AS drawn FROM data GROUP BY country ORDER BY n DESC LIMIT 1`, 1, ['DE', count(rows, (r) => r.country === 'DE'), '#'.repeat(14)]],
  [`SELECT ticket, cost, sum(cost) OVER (ORDER BY opened) AS running FROM data ORDER BY opened LIMIT 3`, 3, [1000, 5, 5]],
  [`SELECT ticket FROM (SELECT ticket, sum(cost) OVER (ORDER BY cost DESC, ticket) / sum(cost) OVER () AS upto FROM data) WHERE upto <= 0.8`, paretoCount()],
  [`SELECT priority, opened, opened - lag(opened) OVER (PARTITION BY priority ORDER BY opened) AS since FROM data ORDER BY opened LIMIT 10`, 10],
  [`SELECT day, count(*) AS open_then FROM (SELECT unnest(range(TIMESTAMP '2022-01-10', TIMESTAMP '2022-01-15', INTERVAL 1 DAY)) AS day) JOIN data ON opened <= day AND (closed IS NULL OR closed > day) GROUP BY day ORDER BY day`, 5],
  [`WITH days AS (SELECT CAST(range AS DATE) AS day FROM range(DATE '2022-01-01', DATE '2022-02-01', INTERVAL 1 DAY)) SELECT days.day, count(t.ticket) AS n FROM days LEFT JOIN data t ON t.opened::DATE = days.day GROUP BY days.day ORDER BY days.day`, 31, ['2022-01-01T00:00:00.000Z', count(rows, (r) => r.opened.toISOString().startsWith('2022-01-01'))]],
  [`WITH spine AS (SELECT * FROM generate_series((SELECT date_trunc('month', min(opened)) FROM data), (SELECT max(opened) FROM data), INTERVAL '1 month') AS s(month)) SELECT month, count(ticket) FROM spine LEFT JOIN data ON date_trunc('month', opened) = month GROUP BY month ORDER BY month`, months],
  [`SELECT hour(opened) AS h, dayofweek(opened) AS d, count(*) AS n FROM data GROUP BY ALL ORDER BY n DESC LIMIT 5`, 5],
  [`SELECT CASE WHEN isodow(opened) >= 6 THEN 'weekend' ELSE 'weekday' END AS part, count(*) FROM data GROUP BY part ORDER BY part`, 2, ['weekday', count(rows, (r) => r.opened.getUTCDay() % 6 !== 0)]],
  [`SELECT count(*) FROM data WHERE opened >= (SELECT max(opened) FROM data) - INTERVAL 30 DAY`, 1, [103]],
  [`SELECT count(*) FROM data WHERE opened > now() - INTERVAL '7 days'`, 1, [0]],
  [`SELECT count(*) FROM data WHERE opened::DATE < current_date AND opened < today()`, 1, [500]],
  [`SELECT satisfaction, count(*) * 100.0 / sum(count(*)) OVER () AS share FROM data WHERE satisfaction IS NOT NULL GROUP BY satisfaction ORDER BY satisfaction`, 5],
  [`SELECT (count_if(satisfaction >= 4) - count_if(satisfaction <= 2)) * 100.0 / count(satisfaction) AS balance FROM data`, 1, [(100 * (count(rows, (r) => (r.satisfaction ?? 0) >= 4) - count(rows, (r) => r.satisfaction !== null && r.satisfaction <= 2))) / values(rows, (r) => r.satisfaction).length]],
  [`SELECT weighted_avg(satisfaction, cost) AS w, avg(satisfaction) FROM data`, 1],
  [`SELECT priority FROM data GROUP BY priority ORDER BY CASE priority WHEN 'urgent' THEN 1 WHEN 'high' THEN 2 WHEN 'medium' THEN 3 ELSE 4 END`, 4, ['urgent']],
  [`SELECT country FROM data WHERE priority = 'urgent' INTERSECT SELECT country FROM data WHERE channel = 'chat' ORDER BY 1`, 6, ['BR']],
  [`SELECT country FROM data EXCEPT SELECT country FROM data WHERE country = 'DE' ORDER BY country`, 5, ['BR']],
  [`SELECT ticket FROM data WHERE (priority, channel) IN (('urgent', 'phone'), ('high', 'chat'))`, count(rows, (r) => `${r.priority}${r.channel}` === 'urgentphone' || `${r.priority}${r.channel}` === 'highchat')],
  [`SELECT ticket FROM data WHERE cost > ALL (SELECT cost FROM data WHERE priority = 'low')`, count(rows, (r) => r.cost > Math.max(...rows.filter((o) => o.priority === 'low').map((o) => o.cost)))],
  [`SELECT count(*) FROM data WHERE priority = ANY (['high', 'urgent'])`, 1, [200]],
  [`SELECT * FROM data USING SAMPLE 20 ROWS (reservoir, 42)`, 20],
  [`SELECT count(*) > 0 FROM data TABLESAMPLE BERNOULLI (50%)`, 1, [true]],
  [`SELECT * FROM data ORDER BY ALL DESC LIMIT 2`, 2, [1499]],
  [`SELECT channel, list(ticket ORDER BY cost DESC)[:3] AS dearest, max(ticket) FROM data GROUP BY channel ORDER BY channel`, 3],
  [`SELECT try_cast(subject AS INTEGER) IS NULL AS text_only, try_strptime('2022-13-01', '%Y-%m-%d') IS NULL AS no_day FROM data LIMIT 1`, 1, [true, true]],
  [`SELECT concat_ws(' / ', channel, priority, NULL) AS path, printf('%05d', ticket) AS padded, format('{:.1f} €', cost) FROM data ORDER BY ticket LIMIT 1`, 1, ['email / low', '01000', '5.0 €']],
  [`SELECT first(ticket ORDER BY opened) FILTER (WHERE priority = 'urgent') AS first_urgent FROM data`, 1, [1003]],
  [`SELECT p.priority, c.channel, count(d.ticket) AS n FROM (SELECT DISTINCT priority FROM data) p CROSS JOIN (SELECT DISTINCT channel FROM data) c LEFT JOIN data d ON d.priority = p.priority AND d.channel = c.channel GROUP BY ALL ORDER BY ALL`, 12],
  [`WITH first_seen AS (SELECT country, min(date_trunc('month', opened)) AS cohort FROM data GROUP BY country) SELECT cohort, date_diff('month', cohort, date_trunc('month', opened)) AS later, count(DISTINCT country) FROM data JOIN first_seen USING (country) GROUP BY ALL ORDER BY ALL`, months],
];

/** How many of the dearest make up four fifths of the cost. */
function paretoCount(): number {
  const total = sum(rows, ({ cost }) => cost);
  const dearest = [...rows].sort((a, b) => b.cost - a.cost || a.ticket - b.ticket);
  return dearest.filter((_, index) => sum(dearest.slice(0, index + 1), ({ cost }) => cost) <= 0.8 * total).length;
}
