import { type LegitimateQuery, count, distinct, values } from './row-query.legitimate.figures.js';
import { TICKETS } from './row-query.legitimate.tables.js';

const { rows } = TICKETS;
const monthOf = ({ opened }: (typeof rows)[number]): string => opened.toISOString().slice(0, 7);
const months = distinct(rows, monthOf);
const labelled = (label: string): number => count(rows, ({ labels }) => labels.includes(`"${label}"`));
const weeks = distinct(rows, ({ opened }) => Math.floor((+opened / 86_400_000 + 3) / 7));

/** What people ask about cases that are opened and closed, as a model writes it. */
// prettier-ignore
export const TICKET_QUERIES: readonly LegitimateQuery[] = [
  [`SELECT yearweek(opened) AS w, count(*) FROM data GROUP BY w`, weeks],
  [`SELECT * FROM (SELECT channel, priority FROM data) PIVOT (count(*) FOR priority IN ('low', 'high') GROUP BY channel)`, 3],
  [`SELECT * FROM (SELECT ticket, cost, satisfaction::DOUBLE AS satisfaction FROM data LIMIT 2) UNPIVOT INCLUDE NULLS (value FOR what IN (cost, satisfaction))`, 4, [1000, 'cost', 5]],
  [`SELECT count(*) FROM data WHERE subject ~ '(?i)login' OR subject LIKE '%?'`, 1],
  [`SELECT regexp_replace(subject, '[^A-Za-z ]', '', 'g') AS plain, count(*) FROM data GROUP BY plain ORDER BY plain`, 5, ['How to export', 100]],
  [`SELECT lower(word) AS word, count(*) AS n FROM (SELECT unnest(regexp_split_to_array(subject, '\\s+')) AS word FROM data) GROUP BY 1 ORDER BY n DESC, 1 LIMIT 3`, 3, ['login', 200]],
  [`SELECT capital, count(*) FROM (SELECT unnest(regexp_extract_all(subject, '[A-Z][a-z]+')) AS capital FROM data) GROUP BY capital ORDER BY capital`, 4, ['How', 100]],
  [`SELECT count(*) FROM data WHERE json_contains(labels, '"billing"')`, 1, [labelled('billing')]],
  [`SELECT j.value ->> '$' AS label, count(*) FROM data, json_each(labels) AS j GROUP BY 1 ORDER BY 1`, 4, ['all', labelled('all')]],
  [`SELECT to_json({'priority': priority, 'n': count(*)}) AS line FROM data GROUP BY priority ORDER BY priority LIMIT 1`, 1, ['{"priority":"high","n":100}']],
  [`SELECT json_object('n', count(*), 'cost', sum(cost)) FROM data`, 1],
  [`SELECT json_group_array(country) FROM (SELECT DISTINCT country FROM data ORDER BY country)`, 1, ['["BR","DE","FR","IN","JP","US"]']],
  [`DESCRIBE data`, 10, ['ticket', 'BIGINT']],
  [`SUMMARIZE data`, 10, ['ticket']],
  [`SELECT day, count(*) AS open_then FROM (SELECT unnest(range(TIMESTAMP '2022-01-10', TIMESTAMP '2022-01-15', INTERVAL 1 DAY)) AS day) JOIN data ON opened <= day AND (closed IS NULL OR closed > day) GROUP BY day ORDER BY day`, 5],
  [`SELECT hour(opened) AS h, dayofweek(opened) AS d, count(*) AS n FROM data GROUP BY ALL ORDER BY n DESC LIMIT 5`, 5],
  [`SELECT count(*) FROM data WHERE opened > now() - INTERVAL '7 days'`, 1, [0]],
  [`SELECT count(*) FROM data WHERE opened::DATE < current_date AND opened < today()`, 1, [500]],
  [`SELECT (count_if(satisfaction >= 4) - count_if(satisfaction <= 2)) * 100.0 / count(satisfaction) AS balance FROM data`, 1, [(100 * (count(rows, (r) => (r.satisfaction ?? 0) >= 4) - count(rows, (r) => r.satisfaction !== null && r.satisfaction <= 2))) / values(rows, (r) => r.satisfaction).length]],
  [`SELECT weighted_avg(satisfaction, cost) AS w, avg(satisfaction) FROM data`, 1],
  [`SELECT ticket FROM data WHERE (priority, channel) IN (('urgent', 'phone'), ('high', 'chat'))`, count(rows, (r) => `${r.priority}${r.channel}` === 'urgentphone' || `${r.priority}${r.channel}` === 'highchat')],
  [`SELECT ticket FROM data WHERE cost > ALL (SELECT cost FROM data WHERE priority = 'low')`, count(rows, (r) => r.cost > Math.max(...rows.filter((o) => o.priority === 'low').map((o) => o.cost)))],
  [`SELECT * FROM data USING SAMPLE 20 ROWS (reservoir, 42)`, 20],
  [`SELECT count(*) > 0 FROM data TABLESAMPLE BERNOULLI (50%)`, 1, [true]],
  [`SELECT try_cast(subject AS INTEGER) IS NULL AS text_only, try_strptime('2022-13-01', '%Y-%m-%d') IS NULL AS no_day FROM data LIMIT 1`, 1, [true, true]],
  [`SELECT concat_ws(' / ', channel, priority, NULL) AS path, printf('%05d', ticket) AS padded, format('{:.1f} €', cost) FROM data ORDER BY ticket LIMIT 1`, 1, ['email / low', '01000', '5.0 €']],
  [`WITH first_seen AS (SELECT country, min(date_trunc('month', opened)) AS cohort FROM data GROUP BY country) SELECT cohort, date_diff('month', cohort, date_trunc('month', opened)) AS later, count(DISTINCT country) FROM data JOIN first_seen USING (country) GROUP BY ALL ORDER BY ALL`, months],
];
