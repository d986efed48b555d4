import type { Filter } from '../../../ports/analysis-plan.js';
import type { ColumnFacts } from '../column-facts.js';
import type { MeasureDraft } from '../../../analyst/reading/draft.js';
import type { Asked, Built } from './asked.js';
import { measureOf } from './measures.js';
import { conditionsOf } from './conditions.js';
import type { Script } from './script.js';

/** How a figure changes between two periods. */
export interface PeriodChange {
  readonly kind: 'percent_change' | 'difference';
  readonly earlier: readonly Filter[];
  readonly later: readonly Filter[];
  /** The question without its periods and the words about the change. */
  readonly rest: string;
}

const MONTH = String.raw`(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`;
const QUARTER = String.raw`(?:q[1-4]|(?:the )?(?:first|second|third|fourth) quarter(?: of)?)`;
const period = (name: string): string => String.raw`(?<${name}>(?:${MONTH}|${QUARTER})(?: \d{4})?|\d{4})`;
const IN = String.raw`(?:\s*\b(?:in|of|during|for|the one in|that of|that in))?`;
const PERIODS = [
  String.raw`\bfrom ${period('earlier')} (?:to|until|through) ${period('later')}\b`,
  String.raw`\bbetween ${period('earlier')} and ${period('later')}\b`,
  String.raw`\b(?:in|during|for|of) ${period('later')},?\s*(?:than|compared (?:with|to)|versus|vs\.?|over|against|relative to)${IN} ${period('earlier')}\b`,
].map((pattern) => new RegExp(pattern, 'iu'));

const CHANGES =
  /\b(?:chang\w*|rise|rose|risen|increas\w*|grow|grew|grown|growth|fall|fell|fallen|drop\w*|decreas\w*|declin\w*|more|less|higher|lower|differ\w*)\b/iu;
const PERCENT = /\b(?:percent|percentage|per cent|growth)\b|%/iu;
const AMOUNT = /\bhow much\b|\bdifference\b|\babsolute\b|\bchange\b/iu;
const POINTS = /\bpercentage points?\b/iu;
const ASKED =
  /\b(?:(?:by|what|was|is|how|in) )*(?:how (?:many|much)|(?:percent(?:age)?|per cent|relative|absolute|%)(?: (?:change|growth|increase|decrease|rise|drop|difference))?(?: (?:in|of))?|(?:chang|increas|decreas|declin|dropp|ris)(?:e|ed|es)|did|does|do|rise|rose|risen|grow|grew|grown|growth(?: rate)?(?: (?:in|of))?|fall|fell|fallen|drop|more or less|higher or lower|more|less|higher|lower|difference|(?:was|were|is|are))\b|%/giu;

/** Reads `by how many percent did the average level rise from February to March 2024`. */
export function changeIn(text: string, script: Script): PeriodChange | null {
  const kind = kindOf(text);
  const found = PERIODS.map((pattern) => pattern.exec(text)).find((match) => match !== null);
  if (kind === null || found === undefined) return null;
  const { earlier, later } = periodsIn(found);
  const [first, second] = [
    periodFilters(withYear(earlier, later), script),
    periodFilters(withYear(later, earlier), script),
  ];
  return first === null || second === null ? null : { kind, earlier: first, later: second, rest: restOf(text, found) };
}

function periodsIn({ groups }: RegExpExecArray): { readonly earlier: string; readonly later: string } {
  return { earlier: groups?.['earlier'] ?? '', later: groups?.['later'] ?? '' };
}

function restOf(text: string, found: RegExpExecArray): string {
  const bare = `${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}`;
  return bare.replace(ASKED, ' ');
}

function kindOf(text: string): PeriodChange['kind'] | null {
  if (!CHANGES.test(text) || POINTS.test(text)) return null;
  if (PERCENT.test(text)) return 'percent_change';
  return AMOUNT.test(text) ? 'difference' : null;
}
const YEAR = /\d{4}$/u;

/** `from February to March 2024`: one year holds for both. */
function withYear(written: string, other: string): string {
  const year = YEAR.exec(other)?.[0];
  return YEAR.test(written) || year === undefined ? written : `${written} ${year}`;
}

function periodFilters(written: string, script: Script): readonly Filter[] | null {
  const { filters, problems } = conditionsOf(script.clauseOf(`in ${written}`), script.facts);
  return filters.length > 0 && problems.length === 0 ? filters : null;
}

/** The figure of the later period set against that of the earlier one. */
export function buildChange(asked: Asked, { kind, earlier, later }: PeriodChange): Built | null {
  const measure = measured(asked);
  if (measure === null || asked.dimensions.length > 0) return null;
  asked.use('figure', 'share', 'combine');
  const measures = [later, earlier].map((filters) => ({ ...measure, filters }));
  return asked.aggregate(measures, { computed: [{ kind, left: 0, right: 1 }], filters: asked.filtersFor([]) });
}

/** A figure of one column, its sum where sums make sense, or the number of rows. */
function measured(asked: Asked): MeasureDraft | null {
  const [mark, anotherMark] = asked.clause.all('figure');
  const [column, another] = asked.figures;
  if (anotherMark !== undefined || another !== undefined) return null;
  if (column === undefined) return mark === undefined ? rowCount(asked) : null;
  return mark === undefined ? usualOf(asked, column) : { ...measureOf(asked, mark), column: column.name };
}

function usualOf(asked: Asked, column: ColumnFacts): MeasureDraft {
  asked.note(column.additive ? `I added up ${column.name}.` : `I took the average ${column.name}.`);
  return { aggregate: column.additive ? 'sum' : 'avg', column: column.name };
}

function rowCount(asked: Asked): MeasureDraft | null {
  const counts = asked.free.some(({ kind }) => kind === 'rows' || kind === 'count');
  return counts ? { aggregate: 'count', column: null } : null;
}
