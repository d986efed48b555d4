import { SALES, STAFF, TICKETS, READINGS, type TestTable } from './row-query.legitimate.tables.js';

/** What an analyst asks, as a pipeline and in the SQL that gives the same rows. */
export type PipelinePair = readonly [sql: string, pipeline: readonly object[]];

const day = (iso: string): object => ({ $date: `${iso}T00:00:00Z` });
const REVENUE = '"Revenue (€)"';
const revenue = '$Revenue (€)';
const date = '$Order Date';
const month = { $dateTrunc: { date, unit: 'month' } };
const byId = { $sort: { _id: 1 } };

/** The same figure over each of several columns, for all rows and group by group. */
const figures = (column: string, group: string): readonly PipelinePair[] =>
  (
    [
      [`sum("${column}")`, { $sum: `$${column}` }],
      [`avg("${column}")`, { $avg: `$${column}` }],
      [`min("${column}")`, { $min: `$${column}` }],
      [`max("${column}")`, { $max: `$${column}` }],
      [`stddev_samp("${column}")`, { $stdDevSamp: `$${column}` }],
      [`stddev_pop("${column}")`, { $stdDevPop: `$${column}` }],
      [`count("${column}")`, { $sum: { $cond: [{ $ne: [`$${column}`, null] }, 1, 0] } }],
    ] as const
  ).map(([sql, figure]) => [
    `SELECT "${group}", ${sql} FROM data GROUP BY 1 ORDER BY 1 NULLS FIRST`,
    [{ $group: { _id: `$${group}`, figure } }, byId],
  ]);

// prettier-ignore
const SALES_PAIRS: readonly PipelinePair[] = [
  ['SELECT count(*) FROM data', [{ $count: 'n' }]],
  ['SELECT * FROM data ORDER BY 1 LIMIT 20', [{ $sort: { 'Order Date': 1 } }, { $limit: 20 }]],
  ['SELECT "Region", units FROM data ORDER BY "Order Date" LIMIT 5 OFFSET 7', [{ $sort: { 'Order Date': 1 } }, { $skip: 7 }, { $limit: 5 }, { $project: { Region: 1, units: 1 } }]],
  [`SELECT "Region", sum(${REVENUE}) FROM data GROUP BY 1 ORDER BY 2 DESC`, [{ $group: { _id: '$Region', total: { $sum: revenue } } }, { $sort: { total: -1 } }]],
  [`SELECT date_trunc('month', "Order Date"), sum(${REVENUE}) FROM data GROUP BY 1 ORDER BY 1`, [{ $group: { _id: month, total: { $sum: revenue } } }, byId]],
  ['SELECT "Region", product, sum(units) FROM data GROUP BY 1, 2 ORDER BY 1, 2 NULLS FIRST', [{ $group: { _id: { region: '$Region', product: '$product' }, n: { $sum: '$units' } } }, { $sort: { '_id.region': 1, '_id.product': 1 } }]],
  ['SELECT count(*) FROM data WHERE product IS NULL', [{ $match: { product: null } }, { $count: 'n' }]],
  ['SELECT count(product) FROM data', [{ $group: { _id: null, n: { $sum: { $cond: [{ $eq: ['$product', null] }, 0, 1] } } } }, { $project: { _id: 0 } }]],
  ['SELECT count(DISTINCT product) FROM data', [{ $match: { product: { $ne: null } } }, { $group: { _id: '$product' } }, { $count: 'n' }]],
  [`SELECT count(*) FROM data WHERE "Order Date" >= '2024-02-01' AND "Order Date" < '2024-03-01'`, [{ $match: { 'Order Date': { $gte: day('2024-02-01'), $lt: day('2024-03-01') } } }, { $count: 'n' }]],
  [`SELECT count(*) FROM data WHERE "Region" IN ('North', 'East') AND units BETWEEN 2 AND 4`, [{ $match: { Region: { $in: ['North', 'East'] }, units: { $gte: 2, $lte: 4 } } }, { $count: 'n' }]],
  [`SELECT count(*) FROM data WHERE "Region" = 'North' OR NOT returned`, [{ $match: { $or: [{ Region: 'North' }, { returned: { $ne: true } }] } }, { $count: 'n' }]],
  [`SELECT count(*) FROM data WHERE "Region" ILIKE '%ORTH%'`, [{ $match: { Region: { $regex: 'ORTH', $options: 'i' } } }, { $count: 'n' }]],
  [`SELECT count(*) FROM data WHERE ${REVENUE} > units * 20`, [{ $match: { $expr: { $gt: [revenue, { $multiply: ['$units', 20] }] } } }, { $count: 'n' }]],
  ['SELECT hour("Order Date"), count(*) FROM data GROUP BY 1 ORDER BY 1', [{ $group: { _id: { $hour: date }, n: { $sum: 1 } } }, byId]],
  ['SELECT isodow("Order Date"), avg(units) FROM data GROUP BY 1 ORDER BY 1', [{ $group: { _id: { $isoDayOfWeek: date }, mean: { $avg: '$units' } } }, byId]],
  [`SELECT strftime("Order Date", '%Y-%m') AS m, count(*) FROM data GROUP BY 1 ORDER BY 1`, [{ $group: { _id: { $dateToString: { date, format: '%Y-%m' } }, n: { $sum: 1 } } }, byId]],
  [`SELECT date_trunc('week', "Order Date"), sum(units) FROM data GROUP BY 1 ORDER BY 1`, [{ $group: { _id: { $dateTrunc: { date, unit: 'week', startOfWeek: 'monday' } }, n: { $sum: '$units' } } }, byId]],
  ['SELECT CASE WHEN units > 4 THEN \'many\' WHEN units > 1 THEN \'some\' ELSE \'few\' END AS s, count(*) FROM data GROUP BY 1 ORDER BY 1', [{ $group: { _id: { $switch: { branches: [{ case: { $gt: ['$units', 4] }, then: 'many' }, { case: { $gt: ['$units', 1] }, then: 'some' }], default: 'few' } }, n: { $sum: 1 } } }, byId]],
  ['SELECT count(*) FILTER (WHERE returned) * 100.0 / count(*) FROM data', [{ $group: { _id: null, r: { $sum: { $cond: ['$returned', 1, 0] } }, n: { $sum: 1 } } }, { $project: { _id: 0, share: { $divide: [{ $multiply: ['$r', 100] }, '$n'] } } }]],
  ['SELECT product, count(*) FROM data GROUP BY 1 HAVING count(*) > 300 ORDER BY 1', [{ $group: { _id: '$product', n: { $sum: 1 } } }, { $match: { n: { $gt: 300 } } }, byId]],
  ['SELECT max("Order Date") - min("Order Date") >= INTERVAL 80 DAYS, date_diff(\'day\', min("Order Date"), max("Order Date")) FROM data', [{ $group: { _id: null, a: { $min: date }, b: { $max: date } } }, { $project: { _id: 0, long: { $gte: [{ $subtract: ['$b', '$a'] }, 6912000000] }, days: { $dateDiff: { startDate: '$a', endDate: '$b', unit: 'day' } } } }]],
  [`SELECT "Region", "Order Date", ${REVENUE} FROM data QUALIFY row_number() OVER (PARTITION BY "Region" ORDER BY ${REVENUE} DESC, "Order Date") <= 2 ORDER BY 1, 3 DESC, 2`, [{ $group: { _id: '$Region', best: { $topN: { n: 2, sortBy: { 'Revenue (€)': -1, 'Order Date': 1 }, output: { at: date, r: revenue } } } } }, { $unwind: '$best' }, { $project: { at: '$best.at', r: '$best.r' } }, { $sort: { _id: 1, r: -1, at: 1 } }]],
  ['SELECT "Order Date", avg(units) OVER (ORDER BY "Order Date" ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) FROM data ORDER BY 1 LIMIT 50', [{ $setWindowFields: { sortBy: { 'Order Date': 1 }, output: { mean: { $avg: '$units', window: { documents: [-6, 'current'] } } } } }, { $sort: { 'Order Date': 1 } }, { $limit: 50 }, { $project: { 'Order Date': 1, mean: 1 } }]],
  ['SELECT "Order Date", sum(units) OVER (ORDER BY "Order Date") FROM data ORDER BY 1 LIMIT 50', [{ $setWindowFields: { sortBy: { 'Order Date': 1 }, output: { total: { $sum: '$units', window: { documents: ['unbounded', 'current'] } } } } }, { $limit: 50 }, { $project: { 'Order Date': 1, total: 1 } }]],
  [`WITH m AS (SELECT date_trunc('month', "Order Date") AS month, sum(units) AS u FROM data GROUP BY 1) SELECT month, u, u - lag(u) OVER (ORDER BY month) FROM m ORDER BY 1`, [{ $group: { _id: month, u: { $sum: '$units' } } }, { $setWindowFields: { sortBy: { _id: 1 }, output: { before: { $shift: { output: '$u', by: -1 } } } } }, { $project: { u: 1, change: { $subtract: ['$u', '$before'] } } }, byId]],
  [`SELECT "Region", sum(units) / (SELECT sum(units) FROM data) FROM data GROUP BY 1 ORDER BY 1`, [{ $group: { _id: '$Region', u: { $sum: '$units' } } }, { $setWindowFields: { output: { all: { $sum: '$u' } } } }, { $project: { share: { $divide: ['$u', '$all'] } } }, byId]],
  [`SELECT upper("Region") || '-' || coalesce(product, 'none'), count(*) FROM data GROUP BY 1 ORDER BY 1`, [{ $group: { _id: { $concat: [{ $toUpper: '$Region' }, '-', { $ifNull: ['$product', 'none'] }] }, n: { $sum: 1 } } }, byId]],
  ['SELECT floor(units / 3), count(*) FROM data GROUP BY 1 ORDER BY 1', [{ $group: { _id: { $floor: { $divide: ['$units', 3] } }, n: { $sum: 1 } } }, byId]],
  ['SELECT units % 3, sum(units) FROM data GROUP BY 1 ORDER BY 1', [{ $group: { _id: { $mod: ['$units', 3] }, n: { $sum: '$units' } } }, byId]],
  ['SELECT round(sqrt(sum(units)), 2), ln(max(units)) FROM data', [{ $group: { _id: null, s: { $sum: '$units' }, m: { $max: '$units' } } }, { $project: { _id: 0, a: { $round: [{ $sqrt: '$s' }, 2] }, b: { $ln: '$m' } } }]],
  ['SELECT "Region", count(DISTINCT product) FROM data GROUP BY 1 ORDER BY 1', [{ $match: { product: { $ne: null } } }, { $group: { _id: '$Region', all: { $addToSet: '$product' } } }, { $project: { n: { $size: '$all' } } }, byId]],
  ['SELECT "Region", arg_max("Order Date", units) IS NOT NULL FROM data GROUP BY 1 ORDER BY 1', [{ $group: { _id: '$Region', at: { $top: { sortBy: { units: -1 }, output: date } } } }, { $project: { ok: { $ne: ['$at', null] } } }, byId]],
  ['SELECT product, count(*) FROM data WHERE product IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1', [{ $match: { product: { $ne: null } } }, { $sortByCount: '$product' }, { $sort: { count: -1, _id: 1 } }]],
  ['SELECT count(*) FROM (SELECT DISTINCT "Region", units FROM data)', [{ $group: { _id: { r: '$Region', u: '$units' } } }, { $count: 'n' }]],
  ['SELECT year("Order Date"), quarter("Order Date"), count(*) FROM data GROUP BY 1, 2 ORDER BY 1, 2', [{ $group: { _id: { y: { $year: date }, q: { $ceil: { $divide: [{ $month: date }, 3] } } }, n: { $sum: 1 } } }, { $sort: { '_id.y': 1, '_id.q': 1 } }]],
  [`SELECT sum(CASE WHEN "Region" = 'North' THEN ${REVENUE} END), sum(CASE WHEN "Region" = 'South' THEN ${REVENUE} END) FROM data`, [{ $group: { _id: null, n: { $sum: { $cond: [{ $eq: ['$Region', 'North'] }, revenue, 0] } }, s: { $sum: { $cond: [{ $eq: ['$Region', 'South'] }, revenue, 0] } } } }, { $unset: '_id' }]],
  ['SELECT "Region", units FROM data ORDER BY units DESC, "Order Date" LIMIT 10', [{ $sort: { units: -1, 'Order Date': 1 } }, { $limit: 10 }, { $project: { _id: 0, Region: 1, units: 1 } }]],
  [`SELECT count(*) FROM data WHERE "Order Date" > (SELECT max("Order Date") FROM data) - INTERVAL 7 DAYS`, [{ $setWindowFields: { output: { last: { $max: date } } } }, { $match: { $expr: { $gt: [date, { $dateSubtract: { startDate: '$last', unit: 'day', amount: 7 } }] } } }, { $count: 'n' }]],
  ['SELECT corr(units, "Revenue (€)") * stddev_pop(units) * stddev_pop("Revenue (€)") FROM data', [{ $setWindowFields: { output: { c: { $covariancePop: ['$units', revenue] } } } }, { $limit: 1 }, { $project: { c: 1 } }]],
  ...figures('units', 'Region'),
  ...figures('Revenue (€)', 'product'),
];

// prettier-ignore
const STAFF_PAIRS: readonly PipelinePair[] = [
  ['SELECT full_name, salary FROM data ORDER BY salary DESC LIMIT 3', [{ $sort: { salary: -1 } }, { $limit: 3 }, { $project: { full_name: 1, salary: 1 } }]],
  ['SELECT count(*) FROM data WHERE manager_id IS NULL', [{ $match: { manager_id: null } }, { $count: 'n' }]],
  ['SELECT s, count(*) FROM (SELECT unnest(string_split(skills, \';\')) AS s FROM data) GROUP BY 1 ORDER BY 1', [{ $project: { s: { $split: ['$skills', ';'] } } }, { $unwind: '$s' }, { $group: { _id: '$s', n: { $sum: 1 } } }, byId]],
  [`SELECT split_part(email, '@', 2), count(*) FROM data GROUP BY 1 ORDER BY 1`, [{ $group: { _id: { $arrayElemAt: [{ $split: ['$email', '@'] }, 1] }, n: { $sum: 1 } } }, byId]],
  [`SELECT length(full_name), count(*) FROM data GROUP BY 1 ORDER BY 1`, [{ $group: { _id: { $strLenCP: '$full_name' }, n: { $sum: 1 } } }, byId]],
  [`SELECT substr(full_name, 1, 1), avg(salary) FROM data GROUP BY 1 ORDER BY 1`, [{ $group: { _id: { $substrCP: ['$full_name', 0, 1] }, mean: { $avg: '$salary' } } }, byId]],
  [`SELECT count(*) FROM data WHERE regexp_matches(skills, '^sql')`, [{ $match: { $expr: { $regexMatch: { input: '$skills', regex: '^sql' } } } }, { $count: 'n' }]],
  [`SELECT replace(department, '&', 'and'), max(salary) FROM data GROUP BY 1 ORDER BY 1`, [{ $group: { _id: { $replaceAll: { input: '$department', find: '&', replacement: 'and' } }, m: { $max: '$salary' } } }, byId]],
  [`SELECT department, string_agg(full_name, ', ' ORDER BY employee_id) FROM data WHERE employee_id <= 12 GROUP BY 1 ORDER BY 1`, [{ $match: { employee_id: { $lte: 12 } } }, { $sort: { employee_id: 1 } }, { $group: { _id: '$department', names: { $firstN: { input: '$full_name', n: 50 } } } }, { $project: { names: { $reduce: { input: { $slice: ['$names', 50] }, initialValue: '', in: { $concat: ['$$value', { $cond: [{ $eq: ['$$value', ''] }, '', ', '] }, '$$this'] } } } } }, byId]],
  [`SELECT least(greatest(rating, 2), 4), count(*) FROM data WHERE rating IS NOT NULL GROUP BY 1 ORDER BY 1`, [{ $match: { rating: { $ne: null } } }, { $group: { _id: { $min: [{ $max: ['$rating', 2] }, 4] }, n: { $sum: 1 } } }, byId]],
  [`SELECT year(hired), count(*) FROM data GROUP BY 1 ORDER BY 1`, [{ $group: { _id: { $year: '$hired' }, n: { $sum: 1 } } }, byId]],
  [`SELECT floor(salary / 10000) * 10000 AS b, count(*) FROM data GROUP BY 1 ORDER BY 1`, [{ $bucket: { groupBy: '$salary', boundaries: [40000, 50000, 60000, 70000, 80000, 90000, 100000] } }]],
  [`SELECT full_name, rank() OVER (ORDER BY salary DESC) FROM data ORDER BY 2 LIMIT 5`, [{ $setWindowFields: { sortBy: { salary: -1 }, output: { place: { $rank: {} } } } }, { $sort: { place: 1 } }, { $limit: 5 }, { $project: { full_name: 1, place: 1 } }]],
  [`SELECT department, salary FROM data QUALIFY dense_rank() OVER (PARTITION BY department ORDER BY salary DESC) <= 2 ORDER BY 1, 2`, [{ $setWindowFields: { partitionBy: '$department', sortBy: { salary: -1 }, output: { place: { $denseRank: {} } } } }, { $match: { place: { $lte: 2 } } }, { $sort: { department: 1, salary: 1 } }, { $project: { department: 1, salary: 1 } }]],
  [`SELECT count(*) FROM data WHERE salary > (SELECT avg(salary) FROM data)`, [{ $setWindowFields: { output: { mean: { $avg: '$salary' } } } }, { $match: { $expr: { $gt: ['$salary', '$mean'] } } }, { $count: 'n' }]],
  [`SELECT remote, department, count(*) FROM data GROUP BY 1, 2 ORDER BY 1, 2`, [{ $group: { _id: { remote: '$remote', department: '$department' }, n: { $sum: 1 } } }, { $sort: { '_id.remote': 1, '_id.department': 1 } }]],
  [`SELECT count(*) FROM data WHERE array_length(string_split(skills, ';')) >= 2`, [{ $match: { $expr: { $gte: [{ $size: { $split: ['$skills', ';'] } }, 2] } } }, { $count: 'n' }]],
  [`SELECT sum(len(list_filter(string_split(skills, ';'), x -> x = 'sql'))) FROM data`, [{ $group: { _id: null, n: { $sum: { $size: { $filter: { input: { $split: ['$skills', ';'] }, as: 'one', cond: { $eq: ['$$one', 'sql'] } } } } } } }, { $unset: '_id' }]],
  [`SELECT trim(lower(department)), min(hired) FROM data GROUP BY 1 ORDER BY 1`, [{ $group: { _id: { $toLower: { $trim: { input: '$department' } } }, first: { $min: '$hired' } } }, byId]],
  ...figures('salary', 'department'),
  ...figures('rating', 'remote'),
];

// prettier-ignore
const TICKET_PAIRS: readonly PipelinePair[] = [
  [`SELECT priority, avg(date_diff('hour', opened, closed)) FROM data WHERE closed IS NOT NULL GROUP BY 1 ORDER BY 1`, [{ $match: { closed: { $ne: null } } }, { $group: { _id: '$priority', hours: { $avg: { $dateDiff: { startDate: '$opened', endDate: '$closed', unit: 'hour' } } } } }, byId]],
  [`SELECT count(*) FROM data WHERE closed IS NULL`, [{ $match: { closed: { $exists: true, $eq: null } } }, { $count: 'n' }]],
  [`SELECT country, avg(satisfaction) FROM data GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 3`, [{ $group: { _id: '$country', mean: { $avg: '$satisfaction' } } }, { $sort: { mean: -1, _id: 1 } }, { $limit: 3 }]],
  [`SELECT count(*) FROM data WHERE lower(subject) LIKE 'login%'`, [{ $match: { subject: { $regex: '^login', $options: 'i' } } }, { $count: 'n' }]],
  [`SELECT channel, sum(cost) FROM data WHERE priority NOT IN ('low', 'medium') GROUP BY 1 ORDER BY 1`, [{ $match: { priority: { $nin: ['low', 'medium'] } } }, { $group: { _id: '$channel', total: { $sum: '$cost' } } }, byId]],
  [`SELECT date_trunc('day', opened), count(*) FROM data WHERE opened < '2022-01-11' GROUP BY 1 ORDER BY 1`, [{ $match: { opened: { $lt: day('2022-01-11') } } }, { $group: { _id: { $dateTrunc: { date: '$opened', unit: 'day' } }, n: { $sum: 1 } } }, byId]],
  [`SELECT median(cost) FROM data WHERE channel = 'chat' AND ticket % 2 = 1`, [{ $match: { channel: 'chat', ticket: { $mod: [2, 1] } } }, { $sort: { cost: 1 } }, { $group: { _id: null, all: { $push: '$cost' } } }, { $project: { _id: 0, m: { $let: { vars: { n: { $size: '$all' } }, in: { $avg: [{ $arrayElemAt: ['$all', { $floor: { $divide: [{ $subtract: ['$$n', 1] }, 2] } }] }, { $arrayElemAt: ['$all', { $floor: { $divide: ['$$n', 2] } }] }] } } } } }]],
  [`SELECT priority, count(*), sum(cost) FROM data GROUP BY 1 ORDER BY 1`, [{ $facet: { by: [{ $group: { _id: '$priority', n: { $sum: 1 }, c: { $sum: '$cost' } } }, { $sort: { _id: 1 } }] } }, { $unwind: '$by' }, { $replaceRoot: { newRoot: '$by' } }]],
  ...figures('cost', 'country'),
  ...figures('satisfaction', 'channel'),
];

// prettier-ignore
const READING_PAIRS: readonly PipelinePair[] = [
  [`SELECT device_id, max(temp_c) - min(temp_c) FROM data GROUP BY 1 ORDER BY 1`, [{ $group: { _id: '$device_id', a: { $max: '$temp_c' }, b: { $min: '$temp_c' } } }, { $project: { spread: { $subtract: ['$a', '$b'] } } }, byId]],
  [`SELECT device_id, "timestamp", temp_c FROM data WHERE temp_c IS NOT NULL QUALIFY row_number() OVER (PARTITION BY device_id ORDER BY "timestamp" DESC) = 1 ORDER BY 1`, [{ $match: { temp_c: { $ne: null } } }, { $sort: { timestamp: -1 } }, { $group: { _id: '$device_id', at: { $first: '$timestamp' }, t: { $first: '$temp_c' } } }, byId]],
  [`SELECT count(*) FROM data WHERE status <> 'ok' AND humidity >= 60`, [{ $match: { $and: [{ status: { $ne: 'ok' } }, { humidity: { $gte: 60 } }] } }, { $count: 'n' }]],
  ...figures('temp_c', 'device_id'),
  ...figures('humidity', 'status'),
];

export const PIPELINE_PAIRS: Readonly<
  Record<string, { readonly table: TestTable<Record<string, unknown>>; readonly pairs: readonly PipelinePair[] }>
> = {
  sales: { table: SALES, pairs: SALES_PAIRS },
  staff: { table: STAFF, pairs: STAFF_PAIRS },
  tickets: { table: TICKETS, pairs: TICKET_PAIRS },
  readings: { table: READINGS, pairs: READING_PAIRS },
};
