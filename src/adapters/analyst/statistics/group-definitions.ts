import type { Filter } from '../../../ports/analysis-plan.js';
import type { Expression } from '../../../ports/plan-expression.js';
import type { ColumnFacts } from '../column-facts.js';
import { conditionsOf } from './conditions.js';
import type { Defined } from './defined.js';
import { withEmpty } from './missing-conditions.js';
import { rephrased } from './phrasings.js';
import { edgesIn, rangesIn, withoutOverlap, type NumberRange } from './ranges.js';
import type { Script } from './script.js';

const BINS =
  /\b(?:bins?|binned|group|groups|grouped|intervals?|ranges|brackets|categor\w+|classif\w+|divide|split|cut|discreti[sz]e|bucket|buckets|segment|class|classes|bands?|label)\b/iu;

/** Groups of rows by stated limits of a column, or by conditions with labels. */
export function groupDefinition(text: string, script: Script): Defined | null {
  return (
    labelDefinition(text, script) ??
    rangeDefinition(text, script) ??
    edgeDefinition(text, script) ??
    bandDefinition(text, script)
  );
}

/** In quotes it is all that stands in them. */
const LABEL = String.raw`["“'\x60]?(?<NAME>(?<=["“'\x60])[^"“”'\x60]{1,30}(?=["”'\x60])|(?<!["“'\x60])\p{L}[\p{L}\d _-]{0,30}?)["”'\x60]?`;
const label = (name: string): string => LABEL.replace('NAME', name);
const CALL = String.raw`^(?:(?:please|then|first|next|now|also|and)\b,?\s*)*(?:call|label|classify|mark|flag|tag|categori[sz]e|treat|consider|name|class|define)\s+(?<who>(?:an?|the|each|every|all)?\s*[\p{L}\d_ ()."“”'-]{1,50}?)\s+(?:as\s+)?`;
const TEST = String.raw`(?:if|when|where|whenever|for which|that have|with)?\s*(?<test>.+?)`;
const CONDITIONAL = [
  // `call a day hot when … and cold otherwise`, `label patients as a if …, otherwise b`
  `${CALL}${label('yes')}\\s+${TEST}\\s*(?:,|\\band\\b|\\bor\\b|\\bbut\\b)\\s*(?:as\\s+)?${label('no')},?\\s+(?:otherwise|else|if not)$`,
  `${CALL}${label('yes')}\\s+${TEST}\\s*[,;]?\\s*(?:and|or|but)?\\s*(?:otherwise|else|all others|the rest)\\s*,?\\s*(?:as\\s+|is\\s+|are\\s+)?${label('no')}$`,
  // `label rows with a of 7 or more as "good" and the others as "ordinary"`
  String.raw`^(?:(?:please|then|first|next|now|also|and)\b,?\s*)*(?:call|label|classify|mark|flag|tag|categori[sz]e|treat)\s+(?:all |the |every |each )*(?<who>\p{L}+) (?:with|where|whose|that have|having|of|if) (?<test>.+?) (?:as|to be) ${label('yes')}\s*(?:,|;)?\s*(?:and|,)\s*(?:all )?(?:the )?(?:others?|rest|remaining(?: ones)?|everything else|all others)(?: \p{L}+)? (?:as|to be) ${label('no')}$`,
  `${CALL}${label('yes')}\\s+${TEST}$`,
].map((pattern) => new RegExp(pattern, 'iu'));

const FLAG = new RegExp(
  String.raw`^(?:(?:please|then|first|next|now|also|and)\b,?\s*)*(?:create|add|make|define|introduce|derive|set)\s+(?:an?|the)?\s*(?:new|binary|boolean|dummy|logical|\s)*(?:flag|indicator|column|variable|feature)(?:\s+(?:variable|column))?\s+(?:(?:called|named)\s+)?${LABEL.replace('NAME', 'yes')}\s*,?\s*(?:(?:that|which)\s+)?(?:is|equals?|equal to|as|set to|being|with)?\s*(?:true|1|yes|one)?\s*(?:if|when|whenever|where|for)\s+(?<test>.+?)(?:\s*[,;]?\s*(?:and|or|but|otherwise|else)\s+(?:is\s+)?(?:false|0|no|zero)\b.*)?$`,
  'iu',
);
const MAX_TEXT = 300;
const TESTS =
  /\b(?:if|when|where|whenever|otherwise|else|above|below|over|under|least|most|more|less|greater|with|have)\b|[<>]/iu;

function labelDefinition(text: string, script: Script): Defined | null {
  if (text.length > MAX_TEXT || !TESTS.test(text)) return null;
  for (const pattern of [FLAG, ...CONDITIONAL]) {
    const defined = labelled(pattern.exec(text.trim())?.groups ?? {}, script);
    if (defined !== null) return defined;
  }
  return null;
}

function labelled(groups: Readonly<Partial<Record<string, string>>>, script: Script): Defined | null {
  const { yes } = groups;
  const filters = yes === undefined ? null : testOf(groups['test'] ?? '', groups['who'] ?? '', script);
  if (yes === undefined || filters === null) return null;
  const no = groups['no'] ?? `not ${yes}`;
  const expression: Expression = { kind: 'case', cases: [{ filters, value: yes }], otherwise: no };
  return { kind: 'made', columns: [script.make(nameFor(filters), expression, [yes, no])] };
}

/** The conditions of a label; `hot above 30` may name its column before: `call a T_max hot above 30`. */
function testOf(test: string, who: string, script: Script): readonly Filter[] | null {
  const said = rephrased(test);
  return wholeCondition(said, script) ?? wholeCondition(`${who} ${said}`, script);
}

function nameFor(filters: readonly Filter[]): string {
  const [first] = filters;
  return first !== undefined && 'column' in first ? `${first.column} group` : 'group';
}

/** The conditions that a text comes to, all words read; `null` otherwise. */
export function wholeCondition(text: string, script: Script): readonly Filter[] | null {
  const clause = withEmpty(script.clauseOf(text));
  const { filters, free, problems } = conditionsOf(clause, script.facts, true);
  const isAll = free.every(({ kind }) => kind === 'rows' || kind === 'bucket');
  return filters.length > 0 && problems.length === 0 && isAll ? filters : null;
}

/** `0-17, 18-39 and 40+`. */
function rangeDefinition(text: string, script: Script): Defined | null {
  const { bare, named } = withoutQuotedColumn(text, script);
  const found = BINS.test(text) ? rangesIn(bare) : null;
  if (found === null) return null;
  const column = named ?? onlyFigure(`${found.before} , ${found.after}`, script);
  if (column === null) return { kind: 'unread', what: text };
  const ranges = withoutOverlap(found.ranges);
  const cases = ranges.map((range) => ({ filters: filtersOf(column.name, range), value: range.label }));
  const made = script.make(
    calledIn(text, script) ?? `${column.name} group`,
    { kind: 'case', cases, otherwise: null },
    ranges.map((one) => one.label),
  );
  return { kind: 'made', columns: [made] };
}

/** A name in quotes among the labels in quotes is no label: it is taken out where it is the only column of numbers. */
function withoutQuotedColumn(
  text: string,
  script: Script,
): { readonly bare: string; readonly named: ColumnFacts | null } {
  const quoted = [...text.matchAll(/"([^"]{1,80})"/gu)].map(([, name]) => name ?? '');
  const columns = script.facts.columns.filter(({ name, role }) => role === 'figure' && quoted.includes(name));
  const [only, another] = columns;
  if (only === undefined || another !== undefined || columns.length === quoted.length)
    return { bare: text, named: null };
  return { bare: text.replaceAll(`"${only.name}"`, ''), named: script.meantBy(only) };
}

const CALLED =
  /^(?:(?:please|then|first|next|now|also|and)\b,?\s*)*(?:create|make|define|build|form|derive|add|introduce)\s+(?:an?|the)\s+(?:new\s+)?(?:(?:column|feature|variable)\s+)?["“'`]?(?<name>[\p{L}][\p{L}\d _-]{2,28}?)["”'`]?\s*(?:column|feature|variable)?\s*(?::|with|from|based on|as follows|that is|which is)/iu;

/** `create a size class: …`. */
function calledIn(text: string, { facts }: Script): string | null {
  const name = CALLED.exec(text)?.groups?.['name'];
  const isTaken = facts.columns.some((column) => column.name.toLowerCase() === name?.toLowerCase());
  return name === undefined || isTaken ? null : name;
}

function filtersOf(column: string, { low, high }: NumberRange): readonly Filter[] {
  const filters: Filter[] = [];
  if (low !== null) filters.push({ kind: 'compare', column, operator: low.included ? '>=' : '>', value: low.value });
  if (high !== null) filters.push({ kind: 'compare', column, operator: high.included ? '<=' : '<', value: high.value });
  return filters;
}

/** `bins with edges 0, 18, 40`: the lower end of each belongs to it, the values outside to none. */
function edgeDefinition(text: string, script: Script): Defined | null {
  const found = edgesIn(text);
  if (found === null) return null;
  const column = onlyFigure(found.rest, script);
  if (column === null) return { kind: 'unread', what: text };
  const { edges } = found;
  const labels = edges.slice(1).map((edge, place) => `${edges[place] ?? ''} to ${edge}`);
  const closed = /right[- ](?:closed|inclusive)/iu.test(text) ? 'right' : 'left';
  const of: Expression = { kind: 'column', column: column.name };
  return {
    kind: 'made',
    columns: [script.make(`${column.name} bin`, { kind: 'bins', of, edges, labels, closed }, labels)],
  };
}

const BANDS =
  /\b(?:in|into|using|by|with)?\s*(?:bins?|bands?|intervals?|groups?|brackets?|buckets?|ranges?|classes|steps)\s+(?:of\s+(?:width|size)|of|that are|each)\s+(?<width>\d+(?:\.\d+)?)\b(?:\s*(?:wide|units?|each))?|\b(?<before>\d+(?:\.\d+)?)[- ](?:unit|year|point|euro|dollar|minute|hour|day|km|kg|cm|mm)?[- ]?wide (?:bins?|bands?|intervals?|groups?)/iu;
const MOST_BANDS = 60;

/** `in bands of 10`: from the multiple of the width below the smallest value to the one above the largest. */
function bandDefinition(text: string, script: Script): Defined | null {
  const match = BANDS.exec(text);
  if (match === null) return null;
  const column = onlyFigure(`${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`, script);
  const edges = column === null ? [] : edgesOf(column, widthIn(match));
  if (column === null || edges.length < 2) return { kind: 'unread', what: text };
  const labels = edges.slice(1).map((edge, place) => `${edges[place] ?? ''} to under ${edge}`);
  const of: Expression = { kind: 'column', column: column.name };
  const expression: Expression = { kind: 'bins', of, edges, labels, closed: 'left' };
  return { kind: 'made', columns: [script.make(`${column.name} band`, expression, labels)] };
}

function widthIn({ groups }: RegExpExecArray): number {
  return Number(groups?.['width'] ?? groups?.['before']);
}

function edgesOf({ profile }: ColumnFacts, width: number): readonly number[] {
  const [low, high] = [Number(profile.min ?? Number.NaN), Number(profile.max ?? Number.NaN)];
  const first = Math.floor(low / width);
  const count = Math.floor(high / width) - first + 1;
  if (!Number.isInteger(count) || count < 1 || count > MOST_BANDS) return [];
  return Array.from({ length: count + 1 }, (_, step) => Number(((first + step) * width).toPrecision(12)));
}

function onlyFigure(text: string, script: Script): ColumnFacts | null {
  const { columns } = script.clauseOf(text);
  const [only, another] = [...new Set(columns.filter(({ role }) => role === 'figure'))];
  return only === undefined || another !== undefined ? null : script.meantBy(only);
}
