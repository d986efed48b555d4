import type { Aggregation, AskedQuery } from './finding.js';
import { inline, paragraphs } from './markdown-words.js';
import { pointsOf, rangeOf } from './plan-findings.js';
import { isPlain } from './plain-plan.js';
import { measureWords } from './plan-words.js';
import { trendOf } from './trend.js';

/** A table of more rows than this repeats a chart badly. */
const TABLE_ROWS = 12;
const TABLE = /^\|.*\|$/m;
const CUT = /^Showing \d/;

/** What the built-in analyst answers, which states figures, with what they say of a development, and without a table that a chart replaces. */
export function elaborated(text: string, query: AskedQuery | undefined, isDrawn: boolean): string {
  if (query === undefined || !isPlain(query.plan)) return text;
  const sentences = sentencesOf(query, query.plan);
  if (sentences === null) return text;
  const [first = '', ...rest] = text.split('\n\n');
  const isLong = isDrawn && query.result.rows.length > TABLE_ROWS;
  const kept = isLong ? rest.filter((part) => !TABLE.test(part) && !CUT.test(part)) : rest;
  return paragraphs([first, sentences.slice(1).join(' '), ...kept]);
}

function sentencesOf({ result, subject }: AskedQuery, plan: Aggregation): readonly string[] | null {
  const development = pointsOf(plan, result);
  const [figure] = plan.measures;
  if (development === null || figure === undefined) return null;
  const { points, bucket } = development;
  const what = inline(measureWords(figure), 120);
  return trendOf(points, { bucket, range: rangeOf(plan, subject), what }).sentences;
}
