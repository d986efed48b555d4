/** A stretch of numbers with a label, as `child (0-12)`, `13 to 19` or `over 65`. */
export interface NumberRange {
  readonly label: string;
  readonly low: { readonly value: number; readonly included: boolean } | null;
  readonly high: { readonly value: number; readonly included: boolean } | null;
}

export interface RangesInText {
  readonly ranges: readonly NumberRange[];
  /** The text before and after them. */
  readonly before: string;
  readonly after: string;
}

const NUMBER = String.raw`-?\d+(?:,\d{3})*(?:\.\d+)?`;
const RANGE = new RegExp(
  [
    String.raw`(?:above|over|more than|greater than|higher than|>)\s*(?<beyond>${NUMBER})\s*(?:and|but|to)?\s*(?:(?<before>below|under|less than|<(?!=))|up to|at most|to|<=)\s*(?<until>${NUMBER})`,
    String.raw`(?:from\s+|between\s+|at least\s+|>=\s*)?(?<from>${NUMBER})\s*(?:-|–|(?<=(?:between|least|>=)\s*${NUMBER}\s*)(?:and|but)|to|up to)\s*(?<open>but not including|just below|below|under|less than|<(?!=))?\s*(?<to>${NUMBER})`,
    String.raw`(?<plus>${NUMBER})\s*(?:\+|plus\b|(?:and|or) (?:above|over|older|more|higher|longer|later|larger|bigger|heavier|taller|greater|up|upwards|beyond)|years and older|upwards|onwards)`,
    String.raw`(?<upto>${NUMBER}) (?:and|or) (?:below|under|younger|less|lower|earlier|before|shorter|smaller|fewer|lighter)`,
    String.raw`(?<least>>=|at least|from)\s*(?<atleast>${NUMBER})`,
    String.raw`(?<most><=|at most|up to)\s*(?<atmost>${NUMBER})`,
    String.raw`(?:>|over|above|more than|older than|greater than|higher than)\s*(?<over>${NUMBER})`,
    String.raw`(?:<|under|below|less than|younger than|lower than)\s*(?<under>${NUMBER})`,
  ].join('|'),
  'giu',
);
const BETWEEN = /^[\s,;:()[\]"'“”]*(?:(?:and|or|then)\b)?[\s,;:()[\]"'“”]*$/iu;
/** `"low" below 20`, `"low" (below 20)`. */
const QUOTED_BEFORE = /["“](?<label>[^"”]{1,30})["”]\s*(?:[(:=]|is|are|for|if|when|means)?\s*(?:[\p{L}_]+\s+){0,2}$/iu;
/** `below 20 "low"`, `below 20 as "low"`. */
const QUOTED_AFTER = /^\s*\)?\s*(?:[:=→]|->|as|is|are|called|named)?\s*["“](?<label>[^"”]{1,30})["”]/iu;
const LABEL_BEFORE =
  /(?:[,;(]|\band\b|\binto\b|\bas\b|:)\s*["'“]?(?<label>(?![\p{L} -]{0,24}\b(?:groups|categories|classes|bins|bands|ranges|brackets|intervals|buckets)\b)\p{L}[\p{L} -]{0,24}?)["'”]?\s*[(:=]\s*(?<of>(?:[\p{L}_]+\s+){0,3})$/iu;

const MEASURED =
  /(?<=\d)\s*(?:%|€|°c?|(?<=\d\s+)(?:months?|years?|days?|weeks?|hours?|minutes?|seconds?|euros?|dollars?|km|kg|cm|mm|m|l|g|h|s|t|min|metres?|meters?|litres?|liters?|grams?|tons?|tonnes?|points?|miles?|feet|ft|lbs?|pounds?|nights?|people|persons?|units?|items?|times?|percent|eur|usd|chf|gbp|degrees?|celsius|fahrenheit)\b)/giu;

/** `"18-29"`, `"60+"`: labels that say themselves which numbers are meant. */
const QUOTED_RANGE =
  /["“'](-?\d[\d.,]*\s*(?:-|–|to)\s*-?\d[\d.,]*|-?\d[\d.]*\s*(?:\+|(?:and|or) (?:above|over|older|more|higher|below|under|younger|less))|(?:[<>]=?|under|below|over|above)\s*-?\d[\d.]*)["”']/giu;

/** Two or more ranges that stand in a row; `null` when there are none. */
export function rangesIn(written: string): RangesInText | null {
  const text = written.replace(MEASURED, '').replace(QUOTED_RANGE, '$1');
  const found = [...text.matchAll(RANGE)];
  const run = longestRun(found, text);
  if (run.length < 2) return null;
  const [first, last] = [run[0], run.at(-1)];
  if (first === undefined || last === undefined) return null;
  const end = last.index + last[0].length;
  const areBehind = labelsAreBehind(first, text);
  return {
    ranges: run.map((match) => rangeOf(match, text, areBehind)),
    before: withoutLabel(text.slice(0, first.index)),
    after: text
      .slice(end)
      .replace(areBehind ? QUOTED_AFTER : /^$/u, ' ')
      .replace(/^[\s)\]"'”]+/u, ' '),
  };
}

/** Names in quotes stand behind their ranges, where none stands before the first. */
function labelsAreBehind(first: RegExpExecArray, text: string): boolean {
  const isBefore = QUOTED_BEFORE.test(text.slice(0, first.index));
  return !isBefore && QUOTED_AFTER.test(text.slice(first.index + first[0].length));
}

/** The label of the first range says nothing about the column; what stands between it and the range does. */
function withoutLabel(before: string): string {
  const labelled = QUOTED_BEFORE.exec(before) ?? LABEL_BEFORE.exec(before);
  return labelled === null ? before : `${before.slice(0, labelled.index)} ${labelled.groups?.['of'] ?? ''}`;
}

function longestRun(found: readonly RegExpExecArray[], text: string): readonly RegExpExecArray[] {
  let best: RegExpExecArray[] = [];
  let run: RegExpExecArray[] = [];
  for (const match of found) {
    const previous = run.at(-1);
    const gap = previous === undefined ? '' : text.slice(previous.index + previous[0].length, match.index);
    run = previous !== undefined && isGap(gap) ? [...run, match] : [match];
    if (run.length > best.length) best = run;
  }
  return best;
}

function isGap(gap: string): boolean {
  return [gap, gap.replace(LABEL_BEFORE, ''), gap.replace(QUOTED_AFTER, ''), gap.replace(QUOTED_BEFORE, '')].some(
    (one) => BETWEEN.test(one),
  );
}

function rangeOf(match: RegExpExecArray, text: string, isBehind: boolean): NumberRange {
  const [before, behind] = [text.slice(0, match.index), text.slice(match.index + match[0].length)];
  const labelled = isBehind ? QUOTED_AFTER.exec(behind) : (QUOTED_BEFORE.exec(before) ?? LABEL_BEFORE.exec(before));
  const label = labelled?.groups?.['label'] ?? match[0].replaceAll(/\s*[–-]\s*/gu, '-');
  const groups = match.groups ?? {};
  return { label: label.trim(), low: lowOf(groups), high: highOf(groups) };
}

type Written = Readonly<Record<string, string | undefined>>;

function lowOf({ from, plus, atleast, beyond, over }: Written): Limit {
  return limit(from ?? plus ?? atleast, true) ?? limit(beyond ?? over, false);
}

function highOf({ to, open, until, before, upto, atmost, under }: Written): Limit {
  return (
    limit(to, open === undefined) ??
    limit(until, before === undefined) ??
    limit(upto ?? atmost, true) ??
    limit(under, false)
  );
}

function limit(written: string | undefined, included: boolean): Limit {
  return written === undefined ? null : { value: Number(written.replaceAll(',', '')), included };
}

/** Ranges that share a limit have it once: the second one begins there. */
export function withoutOverlap(ranges: readonly NumberRange[]): readonly NumberRange[] {
  return ranges.map((range, place) => {
    const next = ranges[place + 1];
    return next !== undefined && isShared(range, next) ? { ...range, high: excluded(range.high) } : range;
  });
}

type Limit = NumberRange['low'];

function isShared({ high }: NumberRange, { low }: NumberRange): boolean {
  if (high === null || low === null) return false;
  return high.included && low.included && high.value === low.value;
}

function excluded(limit: Limit): Limit {
  return limit === null ? null : { ...limit, included: false };
}

const EDGES =
  /(?:edges|limits|boundaries|cut ?points|breaks|breakpoints|bins)\s*(?:at|of|are|is|=|:)?\s*[[(]?\s*(?<list>-?\d[\d.]*(?:\s*(?:,|and|,\s*and)\s*-?\d[\d.]*)+)\s*[\])]?/iu;

/** `bin edges 0, 18, 40, 60`: ascending numbers, with the text around them. */
export function edgesIn(text: string): { readonly edges: readonly number[]; readonly rest: string } | null {
  const match = EDGES.exec(text);
  const edges = (match?.groups?.['list'] ?? '').split(/\s*(?:,\s*and|,|and)\s*/u).map(Number);
  const ascend = edges.length > 1 && edges.every((edge, place) => place === 0 || edge > (edges[place - 1] ?? edge));
  if (match === null || !ascend || edges.some(Number.isNaN)) return null;
  return { edges, rest: `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}` };
}
