import { withLabels } from './labelled-rows.js';

const VERB = String.raw`(?:add|create|make|compute|calculate|derive|define|find|determine|construct|form|build|estimate|work out|obtain|generate|introduce|engineer)`;
const OPENS = String.raw`^(?:(?:please|then|first|next|now|also|and|start by|begin by),?\s+)*`;
const MAKES = new RegExp(String.raw`${OPENS}${VERB}\b`, 'iu');
const SIGN = String.raw`\b(?:plus|minus|times|divided by|(?:days|hours|minutes|seconds) between)\b`;
const FIGURE = String.raw`(?:mean|average|median|total|sum|maximum|minimum|standard deviation|variance|skewness|share|percentage|proportion|correlation|difference|number|ratio)`;
const PART = String.raw`(?:"[^"]{1,60}"|openbracket [^?.;]{1,60}? closebracket|[^?.;,"]{1,40}?)`;
const END = String.raw`(?=\s*(?:[,.;]|$)|\s+(?:and|then|for|in|of)\s)`;

interface Gerund {
  readonly said: RegExp;
  readonly meant: string;
}

/** `by dividing a by b` is `as a divided by b`. */
const GERUNDS: readonly Gerund[] = [
  {
    said: new RegExp(
      String.raw`,?\s*\b(?:by|via|through)\s+dividing (?:the )?(${PART}) by (?:the )?(${PART})${END}`,
      'iu',
    ),
    meant: ' as $1 divided by $2',
  },
  {
    said: new RegExp(
      String.raw`,?\s*\b(?:by|via|through)\s+multiplying (?:the )?(${PART}) (?:by|with) (?:the )?(${PART})${END}`,
      'iu',
    ),
    meant: ' as $1 times $2',
  },
  {
    said: new RegExp(
      String.raw`,?\s*\b(?:by|via|through)\s+(?:subtracting|deducting) (?:the )?(${PART}) from (?:the )?(${PART})${END}`,
      'iu',
    ),
    meant: ' as $2 minus $1',
  },
  {
    said: new RegExp(
      String.raw`,?\s*\b(?:by|via|through)\s+(?:adding|summing|adding up|summing up|adding together) (?:the )?(${PART}) (?:and|to|plus|with) (?:the )?(${PART})${END}`,
      'iu',
    ),
    meant: ' as $1 plus $2',
  },
];

const OF_ONE = /\b(?:each|every|any) (?:\p{L}+ )?\p{L}+(?:['’]s|s['’]) (?=\p{L})/iu;
/** `…, ignoring rows without a weight`. */
const LEAVES_OUT =
  /(?:,\s*(?:but |while )?|\s+(?:but|while)\s+)(?:ignoring|excluding|skipping|omitting|leaving out|dropping|disregarding)\s+(?<what>[^,.;?]{4,100}?)(?=\s*(?:[,.;]|$)|,?\s+and\s+(?:then|give|report|find|determine|state|calculate|compute|tell)\b)/iu;
const EACH = String.raw`(?:for|of|in|over|per)\s+(?:each|every|all|any)(?:\s+(?:of\s+)?the)?`;
/** `for every country for which the output is known`: what has no value has no result either. */
const WITH_VALUES = new RegExp(
  String.raw`\s+${EACH}\s+(?:\p{L}+\s+)?\p{L}+\s+(?:(?:for which|where|whose)\s[^,.;?]{2,60}?\s(?:is|are)\s+(?:known|available|given|recorded|present|not missing)|(?:who|that|which)\s+(?:has|have|took|sat|got)\s+all(?:\s+(?:of\s+(?:them|these)|two|three|four|five|values|marks|figures))?|with\s+(?:an?\s+)?(?:known|recorded|available|non-missing)\s[^,.;?]{2,40}?)(?=\s*(?:[,.;]|$)|\s+and\s|\s+then\s)`,
  'iu',
);
/** `wait plus talk, divided by 60`. */
const SUM_FIRST =
  /(?<=\b(?:as|is|=|by|be|equals))\s((?:"[^"]{1,60}"|[\p{L}\p{N}_]+) (?:plus|minus) (?:"[^"]{1,60}"|[\p{L}\p{N}_]+)),\s*(divided by|times|multiplied by)/iu;
const OF_EACH = String.raw`(?:\s+${EACH}\s+[^?.;,]{2,40}?)?`;
/** `compute income per head openbracket a divided by b, in dollars closebracket for each country, and report …`. */
const BRACKETED = new RegExp(
  String.raw`${OPENS}${VERB}\s+(?:the\s+|an?\s+)?(?:(?:new|extra|additional)\s+)?(?:(?:column|feature|variable)\s+(?:called\s+|named\s+)?)?(?!${FIGURE}\b)(?<name>\p{L}[^?.;:,]{2,60}?)${OF_EACH}\s*,?\s+(?:as\s+)?openbracket\s+(?<how>[^?;]*?${SIGN}[^?;]*?)\s+closebracket${OF_EACH}(?:\s*(?:,|,?\s+and|,?\s+then|,?\s+and then)\s+(?<rest>${VERB.replace('(?:', '(?:report|give|state|tell|show|name|list|')}\b[^?]*))?\s*[.;]?$`,
  'iu',
);
/** `…, in dollars`, what a formula comes out in. */
const IN_UNIT = /,\s*(?:given |measured |expressed )?in\s+[\p{L}%]+(?: per [\p{L}]+)?\s*$/iu;
/** `the lag is the number of days between a and b`, behind a question about it. */
const TOLD = new RegExp(
  String.raw`^(?:here|where|note that|in this)?,?\s*(?:the |an? )?(?<name>\p{L}[\p{L}\d_-]*(?: \p{L}[\p{L}\d_-]*){0,3}?)\s+(?:is|are|equals?|means|is (?:defined|calculated|computed|given|measured|obtained) (?:as|by)|stands for)\s+(?!(?:above|below|over|under|more|less|at least|at most|significant)\b)[^?]*?${SIGN}[^?]*$`,
  'iu',
);

/** A message whose sentences that make columns stand in the words that definitions are read in, each before it is asked about. */
export function withMakings(message: string): string {
  const sentences = askedOut(message.split(/(?<=[.?!])\s+(?=["\p{Lu}])|(?<=;)\s+/u)).flatMap(made);
  return withLabels(beforeTheirUse(sentences))
    .map((sentence, place, all) => (/\.\s*$/u.test(all[place - 1] ?? '') ? capitalised(sentence) : sentence))
    .join(' ');
}

/** `our service level is defined as the share of …. Calculate it.`: the figure itself is asked for. */
const NAMED_FIGURE =
  /^(?:here,? |our |the |an? )*(?<name>\p{L}[\p{L} -]{2,40}?) is (?:defined|measured|calculated|computed|given|expressed) (?:as|by) (?:the )?(?<how>(?:share|percentage|proportion|fraction|mean|average|median|number) of [^?;]{4,160}?)[.;]?$/iu;
const IT_ALONE =
  /^(?:please |then |now |next )*(?:calculate|compute|determine|find|give|report|state|what is) (?:it|this(?: \p{L}+)?|that|its value)(?<end>,? .*|[.?]*)$/iu;
/** `compute it for each lake` of what was just made. */
const FOR_EACH_AGAIN =
  /^(?:please |then |now |next )*(?:calculate|compute|determine|find|do) (?:it|this) for (?:each|every|all)(?: of)?(?: the)? \p{L}+(?: \p{L}+)?\s*[.;]?$/iu;
/** `as a rough volume take a times b`. */
const TAKEN = new RegExp(
  String.raw`^(?:as|for) (?:an? |the )?(?<name>\p{L}[\p{L} -]{2,40}?),? (?:take|use|compute|calculate) (?:the )?(?<how>[^?;]*?${SIGN}[^?;]*?)[.;]?$`,
  'iu',
);

/** The share that a name stands for, in the sentence that asks for it. */
function askedOut(sentences: readonly string[]): readonly string[] {
  return sentences.flatMap((sentence, place) => {
    if (IT_ALONE.test(sentence) && NAMED_FIGURE.test(sentences[place - 1] ?? '')) return [];
    return [figureAsked(sentence, sentences[place + 1] ?? '') ?? sentence];
  });
}

function figureAsked(sentence: string, next: string): string | null {
  const { how } = NAMED_FIGURE.exec(sentence)?.groups ?? {};
  const asked = IT_ALONE.exec(next);
  return how === undefined || asked === null ? null : `Calculate the ${how}${asked.groups?.['end'] ?? '.'}`;
}

/** `filter the data to a, then fill …`: what is left, and what is done with it. */
const LEAVES_FIRST =
  /^(?<step>(?:please |first,? )?(?:filter|restrict|limit|narrow|reduce|keep|retain|exclude|remove|drop|discard|delete)\b[^?.;]{3,120}?),?\s+(?:and\s+)?then\s+(?<rest>\p{L}[^?]*)$/iu;

/** `compute the average of a, b and c for each student, then …`: a figure of each row. */
const OF_ROW = new RegExp(
  String.raw`${OPENS}${VERB}\s+(?:the\s+)?(?<kind>average|mean|sum|total) of (?:the )?(?<list>[^?.;]{3,80}? and [^?.;]{2,40}?)\s+(?:for|of|per)\s+(?:each|every|all(?: the)?)\s+[^?.;,]{2,60}?(?:,?\s+(?:and|then|and then)\s+(?<rest>[^?]+?))?[.;]?$`,
  'iu',
);
const ROW_FIGURE =
  /\b(?:this|that|the|these|those) (?:average|mean|sum|total|row averages?|averages|means|sums|totals)\b/iu;

type Rule = (sentence: string) => readonly string[] | null;

/** The first that knows a sentence says what stands for it. */
const RULES: readonly Rule[] = [ofEachRow, leavesFirst, again, taken, asIs, leavesOut];

function made(sentence: string): readonly string[] {
  for (const rule of RULES) {
    const told = rule(sentence);
    if (told !== null) return told;
  }
  return defined(sentence);
}

/** Where the sentence goes on with that figure; else it asks for figures of groups. */
function ofEachRow(sentence: string): readonly string[] | null {
  const { kind, list, rest } = OF_ROW.exec(sentence)?.groups ?? {};
  if (kind === undefined || list === undefined || rest === undefined || !ROW_FIGURE.test(rest)) return null;
  const asked = sentenceOf(rest.replace(ROW_FIGURE, `the row ${kind}`));
  return [`Define row ${kind} as ${kind} of ${list}.`, asked];
}

function leavesFirst(sentence: string): readonly string[] | null {
  const { step, rest } = LEAVES_FIRST.exec(sentence)?.groups ?? {};
  return step === undefined || rest === undefined ? null : [`${step}.`, ...made(sentenceOf(rest))];
}

function again(sentence: string): readonly string[] | null {
  return FOR_EACH_AGAIN.test(sentence) ? [] : null;
}

function taken(sentence: string): readonly string[] | null {
  const { name, how } = TAKEN.exec(sentence)?.groups ?? {};
  return name === undefined || how === undefined ? null : [`Define ${nameOf(name)} as ${how}.`];
}

function asIs(sentence: string): readonly string[] | null {
  return !MAKES.test(sentence) || sentence.trim().endsWith('?') ? [sentence] : null;
}

function leavesOut(sentence: string): readonly string[] | null {
  const left = LEAVES_OUT.exec(sentence);
  if (left === null) return null;
  const rest = `${sentence.slice(0, left.index)}${sentence.slice(left.index + left[0].length)}`;
  return [`Exclude ${left.groups?.['what'] ?? ''}.`, ...made(rest)];
}

function defined(sentence: string): readonly string[] {
  const plain = GERUNDS.reduce((said, one) => said.replace(one.said, one.meant), sentence)
    .replace(OF_ONE, 'the ')
    .replace(SUM_FIRST, ' openbracket $1 closebracket $2')
    .replace(WITH_VALUES, '');
  const { name, how, rest } = BRACKETED.exec(plain)?.groups ?? {};
  if (name === undefined || how === undefined) return [plain];
  const definition = `Define ${nameOf(name)} as ${how.replace(IN_UNIT, '')}.`;
  return rest === undefined ? [definition] : [definition, sentenceOf(rest)];
}

/** `density in 2020`: the words before a preposition. */
function nameOf(said: string): string {
  return said.replace(/\s+(?:in|of|for|from|at|on|as)(?:\s.*)?$/iu, '').trim();
}

function sentenceOf(text: string): string {
  const said = text.trim();
  return `${capitalised(said)}${/[.?!]$/u.test(said) ? '' : '.'}`;
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** What a name means is read before the sentence that speaks of it. */
function beforeTheirUse(sentences: readonly string[]): readonly string[] {
  const ordered: string[] = [];
  for (const sentence of sentences) {
    const name = TOLD.exec(sentence)?.groups?.['name']?.toLowerCase();
    const use = name === undefined ? -1 : ordered.findIndex((one) => one.toLowerCase().includes(name));
    ordered.splice(use < 0 ? ordered.length : use, 0, sentence);
  }
  return ordered;
}
