import type { TableFacts } from '../table-facts.js';

const ODD = /[^\p{L}\p{N} ]|\s|\d|\p{Ll}\p{Lu}/u;
const MAX_QUOTED = 200;
const cache = new WeakMap<TableFacts['profile'], Patterns>();

/** Names of columns that are odd or of several words, in quotes, so that their dots and brackets are no punctuation. */
export function withQuotedNames(text: string, facts: TableFacts): string {
  const { names, bare } = patternsOf(facts);
  const named =
    names === null
      ? text
      : text.replace(names, (whole, name: string | undefined) => (name === undefined ? whole : `"${name}"`));
  if (bare === null) return named;
  return named.replace(bare.pattern, (whole, name: string | undefined) => {
    const column = name === undefined ? undefined : bare.columns.get(name);
    return column === undefined ? whole : `"${column}"`;
  });
}

interface Patterns {
  readonly names: RegExp | null;
  /** Names without their units, as they are written. */
  readonly bare: { readonly pattern: RegExp; readonly columns: ReadonlyMap<string, string> } | null;
}

const QUOTES = String.raw`"[^"]{1,200}"|“[^”]{1,200}”`;

function patternsOf(facts: TableFacts): Patterns {
  const known = cache.get(facts.profile);
  if (known !== undefined) return known;
  const all = facts.columns.map(({ name }) => name.trim()).filter((name) => !/["“”]/u.test(name));
  const odd = all.filter((name) => ODD.test(name) && name.length <= MAX_QUOTED);
  const patterns = { names: patternFor(odd, 'giu'), bare: bareNames(all) };
  cache.set(facts.profile, patterns);
  return patterns;
}

function patternFor(names: readonly string[], flags: string): RegExp | null {
  if (names.length === 0) return null;
  const any = names.toSorted((a, b) => b.length - a.length).map(escaped);
  return new RegExp(String.raw`${QUOTES}|(?<![\p{L}\p{N}_])['\x60]?(${any.join('|')})['\x60]?(?![\p{L}\p{N}_])`, flags);
}

/** `NO2` of NO2_ugm3, `FuelUsed` of `FuelUsed (L)`: what no other column begins with, and no word looks like. */
function bareNames(names: readonly string[]): Patterns['bare'] {
  const columns = new Map<string, string>();
  for (const name of names) {
    const bare = bareOf(name);
    if (isTelling(bare) && isOwn(bare, name, names)) columns.set(bare, name);
  }
  const pattern = patternFor([...columns.keys()], 'gu');
  return pattern === null ? null : { pattern, columns };
}

/** Before a unit in brackets, or behind a digit. */
const BARE = /^(?:(?<before>.+?)\s*[([][^()[\]]*[)\]]|(?<behind>[^_\s]*\d[^_\s]*)_[\p{L}\d]+)$/u;

/** The name without its unit; empty where it has none. */
function bareOf(name: string): string {
  const { before, behind } = BARE.exec(name)?.groups ?? {};
  return before ?? behind ?? '';
}

function isOwn(bare: string, name: string, names: readonly string[]): boolean {
  return !names.some((other) => other !== name && other.toLowerCase().startsWith(bare.toLowerCase()));
}

/** It has a capital within, or capitals and digits alone. */
function isTelling(bare: string): boolean {
  return /\p{Ll}\p{Lu}/u.test(bare) || /^\p{Lu}[\p{Lu}\d.]+$/u.test(bare);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
}

/** `departure delay (dep_delay)`: the words before a column in brackets say the same again. */
export function withoutExplanations(text: string, facts: TableFacts): string {
  if (!text.includes('(')) return text;
  const names = new Set(facts.columns.map(({ name }) => name.toLowerCase()));
  return text.replace(
    /((?:[\p{L}'’-]+ ){1,4})\(\s*["“'`]?([^()"”'`]{1,80}?)["”'`]?\s*\)/giu,
    (whole, before: string, inside: string) =>
      names.has(inside.toLowerCase()) ? `${beforePhrase(before)}"${inside}"` : whole,
  );
}

const STOP =
  /^(?:as|at|where|among|equals|minus|plus|times|of|the|between|and|in|for|is|an?|by|on|from|to|with|whether|that|if|does|do|are|or|using|mean|median|average|variance|column|columns|compute|calculate|find|how|what|both|different|differing|same|equal|higher|lower|larger|smaller|greater|more|less|significant(?:ly)?|have|has|had|not|no|without)$/iu;

function beforePhrase(before: string): string {
  const words = before.trim().split(/\s+/u);
  const last = words.findLastIndex((word) => STOP.test(word));
  return last < 0 ? '' : `${words.slice(0, last + 1).join(' ')} `;
}

/** `income per head (gdp divided by pop)`: the words before a formula name it and say nothing else. */
export function withoutFormulaNames(text: string): string {
  const named = text.replace(/\b(called|named)\s+((?:[\p{L}\d_-]+ ){1,4})(?=openbracket )/giu, '$1 $2as ');
  return named.replace(
    /((?:[\p{L}'’-]+ ){1,4})(openbracket [^()]*? closebracket)/giu,
    (_whole, before: string, formula: string) => `${beforePhrase(before)}${formula}`,
  );
}

/** Signs of arithmetic as words, because a question's other punctuation only separates; those within a column's quoted name stay. */
export function withArithmeticWords(text: string, facts: TableFacts): string {
  const names = new Set(facts.columns.map(({ name }) => name.toLowerCase()));
  const kept: string[] = [];
  const masked = text.replace(/"([^"]{1,200})"/gu, (whole, name: string) => {
    if (!names.has(name.toLowerCase())) return whole;
    kept.push(whole);
    return `"${MASK}${kept.length - 1}${MASK}"`;
  });
  return inWords(masked).replace(MASKED, (_whole, place: string) => kept[Number(place)] ?? '');
}

const MASK = '\uE000';
const MASKED = new RegExp(`"${MASK}(\\d+)${MASK}"`, 'gu');

function inWords(text: string): string {
  const spelled = text
    .replace(/(\b(?:multiplied by|times)\b[^.;]{1,60}?)\band by\b/giu, '$1 times')
    .replace(/\b(than|least|most|to|from|against|above|below|over|under|exceeds|exceed) zero\b/giu, '$1 0')
    .replace(/(?<=[\p{L}\p{N}_)"”'`])(?:\s+\+\s+|\+)(?=[\p{L}\p{N}_("“'`])/gu, ' plus ')
    .replace(/(?<=[\p{L}\p{N}_)"”'`])\s*[*×·]\s*(?=[\p{L}\p{N}_("“'`])/gu, ' times ')
    .replace(/(?<=[\p{L}\p{N}_)"”'`])\s+[/÷]\s+(?=[\p{L}\p{N}_("“'`])/gu, ' divided by ')
    .replace(/(?<=[)"”'`])\s*\/\s*(?=["“'`(\d])/gu, ' divided by ')
    .replace(/(?<=[\p{L}\p{N}_)"”'`])\s+[-−–]\s+(?=[\p{L}\p{N}_("“'`])/gu, ' minus ');
  return withBracketWords(spelled);
}

const UNIT = String.raw`(?:mm|cm|km|m|metres?|meters?|kilometres?|kilometers?|miles?|kg|grams?|g|tons?|tonnes?|pounds?|litres?|liters?|seconds?|minutes?|hours?|days?|weeks?|months?|years?|euros?|dollars?|pounds?|cents?|eur|usd|gbp|percent|%|head|person|hour|kwh|mwh|gwh|kw|mw|gw)`;

/** `the mean pace in minutes per kilometre`: a column that the message made has the unit that it is told in. */
export function withoutUnits(text: string, names: readonly string[]): string {
  if (names.length === 0) return text;
  const unit = new RegExp(
    String.raw`(?<![\p{L}\d])(?<name>${names.map(escaped).join('|')})\s+(?:in|\(in)\s+${UNIT}(?:\s*(?:per|\/)\s*${UNIT})?\b\)?`,
    'giu',
  );
  return text.replace(unit, '$<name>');
}

const OVER_ALL = /\s(?:over|across|among|amongst|for|of) all (?:the )?(?<what>[\p{L}]+)(?=\s*(?:[?.,;]|$))/giu;

/** `over all flats` chooses none of them, whatever the rows are called. */
export function withoutWhole(text: string, isUnknown: (word: string) => boolean): string {
  return text.replace(OVER_ALL, (whole, what: string) => (isUnknown(what) ? '' : whole));
}

/** The signs that were written, where words were put in for them. */
export function withoutArithmeticWords(text: string, message: string): string {
  return SIGNS.reduce(
    (typed, [words, sign]) => (message.toLowerCase().includes(words.trim()) ? typed : typed.replaceAll(words, sign)),
    text,
  );
}

const SIGNS: readonly (readonly [words: string, sign: string])[] = [
  [' openbracket ', ' ('],
  ['openbracket ', '('],
  [' closebracket', ')'],
  [' plus ', ' + '],
  [' minus ', ' - '],
  [' times ', ' * '],
  [' divided by ', ' / '],
];

const FORMULA =
  /\s*\((?![^()]*\b(?:iqr|interquartile|standard deviations?)\b)([^()]*\b(?:plus|minus|times|divided by)\b[^()]*)\)\s*/giu;

function withBracketWords(text: string): string {
  const next = text
    .replace(/\b(log10|log2|log1p|log|ln|sqrt|abs)\s*\(\s*([^()]+?)\s*\)/giu, '$1 of $2')
    .replace(FORMULA, ' openbracket $1 closebracket ');
  return next === text ? text : withBracketWords(next);
}

/** `is the distribution of x normal`: of a distribution, normal is a shape and no value. */
export function withDistributions(text: string): string {
  if (!/\bdistribut|\bskew/iu.test(text)) return text;
  return text.replace(
    /\b(?<=\b(?:roughly|approximately|nearly|is|are|as|be|close to)\s|distribut[^.?!]{0,60}\s)(?:roughly |approximately )?normal\b(?! distribution)/giu,
    'normally distributed',
  );
}

const LETTERED =
  /\b(group|class|type|grade|arm|category|site|block|plot|zone|team|section|level|batch|treatment|variant|version|phase|line|plant|hall|ward|route|gate|lot|model|series|cohort) A\b(?!["'])/giu;

/** `group A` where a column holds that letter: it is no article. */
export function withLetters(text: string, { values }: TableFacts): string {
  return values.named(['a']).size === 0
    ? text
    : text.replace(LETTERED, (said, noun: string) => (said.endsWith('A') ? `${noun} "A"` : said));
}
