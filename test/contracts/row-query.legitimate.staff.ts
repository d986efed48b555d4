import {
  type LegitimateQuery,
  count,
  dayOf,
  deviation,
  distinct,
  mean,
  sum,
  values,
} from './row-query.legitimate.figures.js';
import { STAFF } from './row-query.legitimate.tables.js';

const { rows } = STAFF;
const pay = sum(rows, ({ salary }) => salary);
const top = rows.reduce((best, row) => (row.salary > best.salary ? row : best));
const skilled = (skill: string): number => count(rows, ({ skills }) => skills.split(';').includes(skill));
/** Whole years at the beginning of 2024. */
const ageOf = ({ hired }: (typeof rows)[number]): number =>
  2023 - hired.getUTCFullYear() + (dayOf(hired).endsWith('-01-01') ? 1 : 0);

/** What people ask about a list of people, as a model writes it. */
// prettier-ignore
export const STAFF_QUERIES: readonly LegitimateQuery[] = [
  [`SELECT salary FROM data ORDER BY salary DESC OFFSET 1 LIMIT 1`, 1, [[...values(rows, (r) => r.salary)].sort((a, b) => b - a)[1] ?? 0]],
  [`SELECT * FROM (SELECT *, dense_rank() OVER (PARTITION BY department ORDER BY salary DESC) AS place FROM data) WHERE place <= 2 ORDER BY department, place`, 8],
  [`SELECT department, full_name, salary FROM data QUALIFY rank() OVER (PARTITION BY department ORDER BY salary DESC) = 1`, 4],
  [`SELECT full_name, ntile(4) OVER (ORDER BY salary) AS quartile, percent_rank() OVER (ORDER BY salary), cume_dist() OVER (ORDER BY salary) FROM data ORDER BY salary LIMIT 4`, 4],
  [`SELECT d.full_name, t.mean FROM data d, LATERAL (SELECT avg(e.salary) AS mean FROM data e WHERE e.department = d.department) t WHERE d.salary < t.mean`, count(rows, (r) => r.salary < mean(rows.filter((o) => o.department === r.department), (o) => o.salary))],
  [`SELECT department, remote, count(*), grouping_id(department, remote) AS level FROM data GROUP BY CUBE (department, remote)`, 15],
  [`SELECT CASE WHEN GROUPING(department) = 1 THEN 'All' ELSE department END AS dept, sum(salary) AS total FROM data GROUP BY GROUPING SETS ((department), ()) ORDER BY total DESC`, 5, ['All', pay]],
  [`SELECT substring(email, position('@' IN email) + 1) AS domain, count(*) FROM data GROUP BY domain ORDER BY domain`, 2, ['example.com', 30]],
  [`SELECT skill, count(*) AS n FROM data, unnest(string_split(skills, ';')) AS s(skill) WHERE skills <> '' GROUP BY skill ORDER BY n DESC, skill`, 6, ['python', skilled('python')]],
  [`SELECT count(*) FROM data WHERE list_contains(string_split(skills, ';'), 'sql')`, 1, [skilled('sql')]],
  [`SELECT len(list_filter(str_split(skills, ';'), s -> s <> '')) AS skills_known, count(*) FROM data GROUP BY 1 ORDER BY 1`, 4, [0, 12]],
  [`SELECT full_name, list_aggregate(list_transform(string_split(full_name, ' '), w -> left(w, 1)), 'string_agg', '') AS initials FROM data LIMIT 3`, 3, ['Ana Moser', 'AM']],
  [`SELECT array_to_string(list_sort(list_distinct(flatten(list(string_split(skills, ';'))))), ', ') AS every_skill FROM data WHERE skills != ''`, 1, ['excel, java, python, sales, sql, statistics']],
  [`SELECT strip_accents(full_name) AS plain FROM data WHERE strip_accents(full_name) <> full_name ORDER BY 1 LIMIT 1`, 1, ['Celik Moser']],
  [`SELECT full_name FROM data WHERE full_name ILIKE '%o''neill' ORDER BY employee_id`, 20, ["Bo O'Neill"]],
  [`SELECT full_name FROM data WHERE regexp_matches(full_name, '^[AE]')`, 12],
  [`SELECT full_name FROM data WHERE starts_with(full_name, 'Ana') OR contains(full_name, 'Ruiz')`, count(rows, (r) => r.full_name.startsWith('Ana') || r.full_name.includes('Ruiz'))],
  [`SELECT stddev(salary), var_pop(salary), quantile_cont(salary, 0.9), mad(salary) FROM data`, 1, [deviation(rows, (r) => r.salary)]],
  [`SELECT corr(rating, salary) AS r, covar_samp(rating, salary), regr_intercept(salary, rating), regr_r2(salary, rating) FROM data WHERE rating IS NOT NULL`, 1],
  [`SELECT date_part('year', age(TIMESTAMP '2024-01-01', hired)) AS years, count(*) FROM data GROUP BY years ORDER BY years`, distinct(rows, ageOf), [2, count(rows, (r) => ageOf(r) === 2)]],
  [`SELECT monthname(hired) AS m, month(hired) AS number, count(*) FROM data GROUP BY ALL ORDER BY number`, 12, ['January', 1, 5]],
  [`WITH RECURSIVE tree AS (SELECT employee_id, full_name, 0 AS depth FROM data WHERE manager_id IS NULL UNION ALL SELECT d.employee_id, d.full_name, tree.depth + 1 FROM data d JOIN tree ON d.manager_id = tree.employee_id) SELECT depth, count(*) AS n FROM tree GROUP BY depth ORDER BY depth`, 4, [0, 1]],
  [`WITH stats AS (SELECT department, avg(salary) AS m FROM data GROUP BY 1), best AS (SELECT department FROM stats ORDER BY m DESC LIMIT 1) SELECT d.full_name FROM data d SEMI JOIN best USING (department)`, 15],
  [`SELECT d.department FROM data d ANTI JOIN (SELECT department FROM data WHERE salary > 90000) h ON d.department = h.department GROUP BY 1`, 4 - distinct(rows.filter((r) => r.salary > 90_000), (r) => r.department)],
  [`SELECT b.name, count(d.salary) FROM (VALUES ('low', 0, 55000), ('middle', 55000, 75000), ('high', 75000, 1e9)) AS b(name, lo, hi) LEFT JOIN data d ON d.salary >= b.lo AND d.salary < b.hi GROUP BY b.name ORDER BY b.name`, 3, ['high', count(rows, (r) => r.salary >= 75_000)]],
  [`SELECT * RENAME (full_name AS name) FROM data LIMIT 2`, 2],
  [`SELECT bool_and(remote), bool_or(remote), count_if(remote), sum(remote::INT) FROM data`, 1, [false, true, 20, 20]],
  [`SELECT UNNEST(struct_pack(lowest := min(salary), highest := max(salary))) FROM data`, 1, [Math.min(...values(rows, (r) => r.salary)), top.salary]],
  [`SELECT md5(full_name) AS pseudonym, salary FROM data LIMIT 3`, 3],
  [`SELECT a.full_name, b.full_name, jaro_winkler_similarity(a.full_name, b.full_name) AS alike, levenshtein(a.full_name, b.full_name) AS steps FROM data a JOIN data b ON a.employee_id < b.employee_id WHERE a.full_name <> b.full_name ORDER BY alike DESC LIMIT 3`, 3],
];
