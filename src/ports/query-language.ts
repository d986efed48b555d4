/** A row store's own language, as whoever writes statements in it is told. */
export interface QueryLanguage {
  readonly name: 'sql' | 'mongodb';
  /** In a sentence: "with SQL", "instead of SQL". */
  readonly title: string;
  /** What the tool that runs a statement does. */
  readonly tool: string;
  /** The tool's argument that holds the statement, and what stands in it. */
  readonly argument: 'sql' | 'pipeline';
  readonly statement: string;
  /** How statements are written: lines of a model's instructions. */
  readonly rules: string;
  /** What does instead of functions or operators that writers of other dialects try. */
  readonly substitutes: ReadonlyMap<string, string>;
}

const STRPTIME = "strptime(text, '%d.%m.%Y') or a cast to TIMESTAMP";
const STRFTIME = "strftime(time, '%Y-%m')";

export const SQL: QueryLanguage = {
  name: 'sql',
  title: 'SQL',
  tool: 'Runs one read-only SQL SELECT over the table `data` and returns its rows: for what `analyze` can’t say.',
  argument: 'sql',
  statement: 'one SELECT over the table `data`',
  rules: `The SQL dialect is DuckDB's:
- one SELECT (WITH is fine) over the table data; names in double quotes ("unit price"), text in single quotes, compared with upper and lower case apart (ILIKE ignores it)
- the time column is a TIMESTAMP in UTC: date_trunc('month', "time"), extract(hour FROM "time"), "time" >= TIMESTAMP '2024-01-01' AND "time" < TIMESTAMP '2024-02-01', INTERVAL 7 DAY
- median(x), quantile_cont(x, 0.95), stddev_samp(x), corr(x, y), regr_slope(y, x), arg_max(a, b), count(*) FILTER (WHERE ...), QUALIFY and window functions exist; / divides with a fraction, // without
- at most 1,000 rows come back: aggregate in the query, and round only what you show`,
  substitutes: new Map(
    Object.entries({
      to_char: STRFTIME,
      date_format: STRFTIME,
      to_date: STRPTIME,
      str_to_date: STRPTIME,
      dateadd: 'time + INTERVAL 7 DAY',
      getdate: 'now()',
      sysdate: 'now()',
      percentile: 'quantile_cont(x, 0.9)',
      percentile_cont: 'quantile_cont(x, 0.9)',
      percentile_disc: 'quantile_disc(x, 0.9)',
      std: 'stddev_samp(x)',
      nvl: 'coalesce(x, 0)',
      isnull: 'x IS NULL or coalesce(x, 0)',
      iif: 'CASE WHEN … THEN … ELSE … END',
      charindex: "strpos(text, 'part')",
      regexp_like: 'regexp_matches(text, pattern)',
      convert: 'CAST(x AS DOUBLE)',
      safe_divide: 'x / nullif(y, 0)',
      rand: 'random()',
    }),
  ),
};

export const PIPELINES: QueryLanguage = {
  name: 'mongodb',
  title: 'an aggregation pipeline',
  tool: 'Runs one read-only MongoDB aggregation pipeline over the collection `data` and returns its rows: for what `analyze` can’t say.',
  argument: 'pipeline',
  statement: 'a JSON array of stages over the collection `data`',
  rules: `The pipeline is MongoDB's, as strict JSON: names and texts in double quotes, no comments, no ISODate(...):
- one document in data per row, its fields named as the columns: {"$match": {"unit price": {"$gt": 5}}}, {"$group": {"_id": "$region", "total": {"$sum": "$unit price"}}}; in a column's name a dot, a control character and a dollar at the beginning are written _ ("p.95" is "$p_95"); after $group only _id and its figures are there
- a row without a value has null: {"$match": {"x": {"$ne": null}}} leaves such rows out; $sum and $avg pass over them, $push and $addToSet don't
- the time column is a date in UTC, a moment is written {"$date": "2024-01-01T00:00:00Z"}: {"$match": {"time": {"$gte": {"$date": "2024-01-01T00:00:00Z"}, "$lt": {"$date": "2024-02-01T00:00:00Z"}}}}, {"$dateTrunc": {"date": "$time", "unit": "month"}}
- texts are compared with upper and lower case apart; {"$regex": "^ab", "$options": "i"} ignores it, its pattern is a plain text
- the usual stages, expressions and accumulators exist ($facet, $setWindowFields, $densify and $fill too); nothing that writes, runs code or reads another collection
- {"$median": {"input": "$x", "method": "approximate"}}, $percentile, $stdDevSamp, $top, $firstN exist; $divide fails on 0: guard it with $cond
- by several things: {"_id": {"region": "$region", "month": ...}}; at most 1,000 rows come back: aggregate in the pipeline, $sort before $limit, and round only what you show`,
  substitutes: new Map(
    Object.entries({
      $function: 'expressions such as $cond, $switch and $let',
      $accumulator: '$sum, $avg, $push or $reduce',
      $where: '{"$expr": …}',
    }),
  ),
};
