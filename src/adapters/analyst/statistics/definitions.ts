import type { Expression } from '../../../ports/plan-expression.js';
import type { ColumnFacts } from '../column-facts.js';
import type { Piece } from '../pieces.js';
import { nameWords } from '../text.js';
import { expressionOf, nameOf } from './arithmetic.js';
import type { Clause } from './clause.js';
import { conditionsOf } from './conditions.js';
import type { Defined } from './defined.js';
import { groupDefinition } from './group-definitions.js';
import type { Script } from './script.js';
import { partDefinition } from './time-parts.js';

const START = String.raw`^(?:(?:please|then|first|next|now|also|and|afterwards)\b,?\s*)*`;
const NOUN = String.raw`(?:column|feature|variable|field|attribute|metric|measure|quantity|indicator)`;
const NAME = String.raw`["“'\x60]?(?<name>(?<=["“'\x60])[\p{L}_][^"“”'\x60]{0,40}(?=["”'\x60])|(?<!["“'\x60])[\p{L}_][\p{L}\d_./-]*(?: [\p{L}\d_./-]+){0,3}?)["”'\x60]?`;
/** `the gross amount of each invoice`. */
const LONG_NAME = NAME.replace('{0,3}?', '{0,6}?');
const LINK = String.raw`(?:as|:?=|:|by|which is|that is|that equals|which equals|equal to|equals|defined as|calculated as|calculated by|computed as|computed by|given by|from|to be|being|be|using|that contains|which contains|that holds|which holds|that gives|containing|holding|representing|is defined as|for|with)`;
const ADJECTIVE = String.raw`(?:(?:new|derived|additional|extra|numeric|numerical|calculated|composite|combined)\s+)*`;
const MAKE = new RegExp(
  `${START}(?:create|add|make|derive|generate|construct|introduce|define|form|build|engineer|compute|calculate)\\s+(?:an?|the)?\\s*${ADJECTIVE}${NOUN}\\b\\s*,?\\s*(?:(?:called|named|labelled|labeled)\\s+)?(?:${NAME}\\s*,?\\s+)??${LINK}\\s+(?<how>.+)$`,
  'iu',
);
const LET = new RegExp(
  `${START}(?:let|define|compute|calculate)\\s+(?:the\\s+|an?\\s+)?${LONG_NAME}\\s*(?:as|be|:?=|:|to be|by)\\s+(?<how>.+)$`,
  'iu',
);
const IS = new RegExp(
  `${START}(?:where\\s+)?(?:the\\s+|an?\\s+)?${NAME}\\s*(?:is defined as|is calculated as|is computed as|is|=|equals|means)\\s+(?<how>.+)$`,
  'iu',
);
const CALLED =
  /,?\s*(?:and\s+)?(?:call|name|store|save)\s+(?:it|this|the result|them|the (?:new )?(?:column|feature|variable))\s+(?:(?:as|in|under)\s+)?(?:an?\s+(?:new\s+)?column\s+(?:called\s+|named\s+)?)?["“'`]?(?<name>[\p{L}_][\p{L}\d _-]{0,40}?)["”'`]?\s*$/iu;
const OF_EACH = /\s+(?:for|of|per|in)\s+(?:each|every|an?|the|all)\s.*$/iu;
const FOR_EACH = /,?\s+(?:for|of|in)\s+(?:each|every|all(?: the)?)\s+(?:\p{L}+\s+){0,2}\p{L}+[\s;.]*$/iu;

const AFTER =
  /^(?:(?:and|then|first)\s+)?(?:after|once|upon|if|when|by|having)\s+(?<how>[^?]{5,200}?)(?:,\s+(?:then\s+)?(?=is\b|are\b)|,?\s+(?:then\s+)?(?!is\b|are\b))(?<ask>(?:what|how|which|calculate|compute|give|report|find|determine|is|are|tell|state)\b.*)$/iu;
const FIRST =
  /^(?<how>(?:fill|replace|impute|normali[sz]e|standardi[sz]e|rescale|scale)\b[^?]{5,200}?),?\s+(?:and then|then|and)\s+(?<ask>(?:what|how|calculate|compute|give|report|find|determine|tell|state|take|get|show)\b.*)$/iu;
const PASSIVE =
  /^(?<what>(?:the |any |all )?.+?)\s+(?:are|is|were|was|have been|has been)\s+(?<verb>filled(?: in)?|replaced|imputed|standardi[sz]ed|normali[sz]ed)\s+(?<with>.+)$/iu;

export interface AfterMaking {
  readonly made: readonly ColumnFacts[] | null;
  /** The question, without what is done before. */
  readonly rest: string;
}

/** `after filling the gaps in a with its mean, what is …`, `if missing values of a are replaced by …, what is …`. */
export function afterMaking(text: string, script: Script): AfterMaking {
  const { how, ask } = (AFTER.exec(text) ?? FIRST.exec(text))?.groups ?? {};
  if (how === undefined || ask === undefined) return { made: null, rest: text };
  const state = script.state;
  const defined = transformDefinition(activeOf(how), null, script);
  if (defined?.kind === 'made') return { made: defined.columns, rest: ask };
  script.goBackTo(state);
  return { made: null, rest: text };
}

function activeOf(how: string): string {
  const { what, verb, with: by } = PASSIVE.exec(how)?.groups ?? {};
  if (what === undefined || verb === undefined || by === undefined) return how;
  return `${verb.replace(/^filled(?: in)?$/iu, 'fill').replace(/ed$/iu, 'e')} ${what} ${by}`;
}

/** Reads a sentence that makes a column of the others: arithmetic, scaling, bins, labels by conditions, filled gaps. */
export function readDefinition(text: string, script: Script): Defined | null {
  const called = CALLED.exec(text);
  const name = called?.groups?.['name'] ?? null;
  const bare = called === null ? text : text.slice(0, called.index);
  return (
    groupDefinition(bare, script) ??
    partDefinition(bare, script) ??
    arithmeticDefinition(bare, name, script) ??
    transformDefinition(bare, name, script)
  );
}

function arithmeticDefinition(text: string, called: string | null, script: Script): Defined | null {
  const making = makingOf(text, called);
  if (making === null) return null;
  const { name, how, isColumn } = making;
  const clause = script.clauseOf(tailOf(how).replace(FOR_EACH, ''));
  const made = calculated(clause, making, script);
  if (made !== null || !isColumn) return made;
  return (
    transformed(clause, name, script) ?? (isAboutArithmetic(clause) ? { kind: 'unread', what: name ?? how } : null)
  );
}

/** `a new column, a divided by b`. */
const NAMELESS = /\b((?:column|feature|variable|field)),\s+(?=[^,]*\b(?:plus|minus|times|divided by)\b)/iu;

interface Making {
  readonly name: string | null;
  readonly how: string;
  /** It speaks of a column, so that nothing else can be meant. */
  readonly isColumn: boolean;
}

function makingOf(text: string, called: string | null): Making | null {
  const made = MAKE.exec(text.replace(NAMELESS, '$1 as '));
  const groups = (made ?? LET.exec(text) ?? IS.exec(text))?.groups;
  if (groups === undefined) return null;
  return { name: called ?? nameIn(groups['name']), how: groups['how'] ?? '', isColumn: made !== null };
}

function nameIn(written: string | undefined): string | null {
  return written?.replace(OF_EACH, '') ?? null;
}

function calculated(clause: Clause, { name, isColumn }: Making, script: Script): Defined | null {
  const expression = expressionOf(contentOf(clause), clause, script);
  if (expression === null || (expression.kind === 'column' && !isColumn)) return null;
  return { kind: 'made', columns: [script.make(name ?? nameOf(expression), expression)] };
}

/** `… of each order, i.e. quantity times price`: what is said again more exactly. */
function tailOf(how: string): string {
  return how.split(/\b(?:i\.\s?e\.,?|that is,|namely,?)\s/iu).at(-1) ?? how;
}

/** A sentence that makes a column of something nobody read must not pass for prose. */
function isAboutArithmetic(clause: Clause): boolean {
  return clause.columns.length > 0 || clause.pieces.some(({ kind }) => kind === 'word');
}

/** What is left of a clause without the words that say nothing. */
export function contentOf(clause: Clause): readonly Piece[] {
  return clause.pieces
    .filter((piece) => clause.markOf(piece) !== null || !['filler', 'rows', 'list', 'asker'].includes(piece.kind))
    .filter((piece, place, all) => !saysUnitAgain(piece, all[place - 1]))
    .map((piece): Piece => {
      const isYear = piece.kind === 'time' && /^\d{4}$/u.test(piece.text);
      return isYear
        ? { kind: 'number', key: piece.text, glued: false, value: Number(piece.text), unit: null, text: piece.text }
        : piece;
    });
}

/** `the annual output in GWh` of a column whose name has the unit, which may be read as that column again. */
function saysUnitAgain(piece: Piece, before: Piece | undefined): boolean {
  if (before?.kind !== 'column') return false;
  if (piece.kind === 'column') return piece.column.name === before.column.name;
  return piece.kind === 'word' && nameWords(before.column.name).includes(piece.key);
}

const TRANSFORM = new RegExp(
  `${START}(?:apply|perform|use|using|do|take|compute|calculate|(?:z-?\\s?)?(?:normali[sz]|standardi[sz])(?:e|ing)|(?:min-?max )?(?:scal|rescal)(?:e|ing)|transform|convert|log|fill(?:ing)?(?: in)?|replac(?:e|ing)|imput(?:e|ing)|bin|divide|split|group|cut|discreti[sz]e|categori[sz]e|partition|bucket|segment|(?:create|make|form|build|construct)(?=[^.?]*\\b(?:bins?|intervals|classes|quartiles?|terciles?|quantiles?|quintiles?|deciles?)\\b))\\b`,
  'iu',
);

const CONVERTS = new RegExp(`${START}(?:convert|transform)\\b`, 'iu');
const SCALES = new RegExp(`${START}(?:z-?\\s?)?(?:normali[sz]e|standardi[sz]e|scale|rescale)\\b`, 'iu');

/** `Normalise x with min-max scaling`, `divide x into 4 bins`, `fill the missing x with its mean`. */
function transformDefinition(text: string, name: string | null, script: Script): Defined | null {
  if (!TRANSFORM.test(text)) return null;
  const clause = script.clauseOf(text);
  const made = transformed(clause, name, script);
  return made ?? (changesColumn(clause, text) ? { kind: 'unread', what: text } : null);
}

/** It makes a column anew, so that it must not pass for a question or for prose. */
function changesColumn(clause: Clause, text: string): boolean {
  if (CONVERTS.test(text) && clause.has('arithmetic')) return true;
  const isPlain = !clause.has('figure', 'outliers', 'reference', 'share');
  return clause.has('scale', 'fill', 'bins') && (isPlain || SCALES.test(text));
}

/** The columns of numbers that are named, or that `them` stands for. */
function spokenOf(clause: Clause, script: Script): readonly ColumnFacts[] {
  const named = clause.columns.filter(({ role }) => role === 'figure').map((column) => script.meantBy(column));
  if (named.length > 0 || !REFERS.test(clause.text)) return named;
  return script.focus.filter(({ role }) => role === 'figure');
}

const REFERS = /\b(?:them|they|these|those|it)\b/iu;

function transformed(clause: Clause, name: string | null, script: Script): Defined | null {
  const columns = spokenOf(clause, script);
  if (columns.length === 0) return null;
  const filled = fillOf(clause, columns, script);
  if (filled !== null) return filled;
  if (asksMore(clause)) return null;
  const make = makerOf(clause, script);
  if (make === null || leavesWords(clause, script)) return null;
  const made = columns.map((column) => {
    const expression = make(column);
    const facts = script.make(name ?? nameOf(expression), expression);
    // From here on the column is spoken of as it is now.
    if (facts.role === 'figure') script.replace(column.name, facts);
    return facts;
  });
  return { kind: 'made', columns: made };
}

/** A figure or a test is asked for; only the standard deviation may tell how a z-score is meant. */
function asksMore(clause: Clause): boolean {
  const isBySpread =
    clause.has('scale') && clause.all('figure').every(({ aggregate }) => /^(?:stddev|avg$)/u.test(aggregate));
  if (clause.has('figure') && !isBySpread) return true;
  return clause.has('regression', 'relation', 'test', 'outliers', 'describe', 'normality');
}

/** A condition or an unknown word makes it more than a definition. */
function leavesWords(clause: Clause, script: Script): boolean {
  const { free, filters, problems } = conditionsOf(clause, script.facts);
  return filters.length > 0 || problems.length > 0 || free.some(({ kind }) => kind === 'word' || kind === 'number');
}

/** Whether a scaled column is scaled by the deviation of a population. */
function isOfPopulation(clause: Clause, script: Script): boolean {
  if (clause.all('figure').some(({ aggregate }) => aggregate === 'stddev_pop')) return true;
  return clause.first('population')?.population ?? script.population ?? false;
}

function makerOf(clause: Clause, script: Script): ((column: ColumnFacts) => Expression) | null {
  const bins = clause.first('bins');
  if (bins !== null)
    return ({ name }) => ({
      kind: 'equal_bins',
      of: { kind: 'column', column: name },
      count: bins.count,
      equal: bins.equal,
    });
  const scale = clause.all('scale').find(({ method }) => method !== null) ?? clause.first('scale');
  const population = isOfPopulation(clause, script);
  if (scale !== null)
    return ({ name }) => ({
      kind: 'scaled',
      method: scale.method ?? 'minmax',
      of: { kind: 'column', column: name },
      population: scale.method === 'zscore' && population,
    });
  const applied = clause.first('function');
  return applied === null
    ? null
    : ({ name }) => ({ kind: 'function', function: applied.function, of: { kind: 'column', column: name } });
}

function fillsGaps(clause: Clause): boolean {
  return clause.has('fill') && (clause.has('missing') || REFERS.test(clause.text));
}

/** `with the median of the same variety`: a figure of some of the rows, for each of them another. */
const OF_GROUP =
  /\b(?:same|respective|corresponding|own|per|within|group-?wise|grouped)\b|\b(?:of|for|in) (?:each|every)\b(?! column)/iu;

function fillOf(clause: Clause, columns: readonly ColumnFacts[], script: Script): Defined | null {
  if (!fillsGaps(clause)) return null;
  if (OF_GROUP.test(clause.text)) return { kind: 'unread', what: clause.text };
  const means = ({ aggregate }: { readonly aggregate: string }): 'mean' | 'median' | 'mode' | null => {
    if (aggregate === 'avg') return 'mean';
    return aggregate === 'median' || aggregate === 'mode' ? aggregate : null;
  };
  const figure = clause
    .all('figure')
    .map(means)
    .find((way) => way !== null);
  const number = clause.pieces.find((piece) => piece.kind === 'number');
  const way = figure ?? number?.value ?? (/\bzeros?\b/i.test(clause.text) ? 0 : null);
  if (way === null) return { kind: 'unread', what: clause.text };
  const seen = [...new Map(columns.map((column) => [column.name, column])).values()];
  const made = seen.map((column) => {
    const facts = script.make(`${column.name} filled`, { kind: 'filled', column: column.name, with: way });
    script.replace(column.name, facts);
    return facts;
  });
  return { kind: 'made', columns: made };
}
