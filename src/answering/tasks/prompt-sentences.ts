/** A sentence, list item or part of one, and where it came from. */
export interface PromptPart {
  readonly text: string;
  /** Words of a line above the list that hold for each of its items: `in Seattle`. */
  readonly scope: string;
}

const ITEM = /^\s*(?:[-*•‣▪–—]|\(?\d{1,2}[.)]|\(?[a-hA-H][.)]|#{1,6})\s+(?=\S)/u;
const LEAD_IN = /:\s*$/;
const SCOPE =
  /^(?:for|in|during|within|about|regarding|concerning)\s+(?!(?:the following|these|this|each of)\b).{2,80}$/i;
/** A line that is this long was broken by an editor, not by its writer. */
const WRAPPED = 60;
/** Nobody reads a sentence beyond this; it also bounds what hostile text costs. */
const MAX_SENTENCE = 2000;
const END = 200;
const MAX_PARTS = 300;

const ABBREVIATION =
  /(?:^|[\s("])(?:e\.g|i\.e|etc|vs|approx|no|nr|fig|mr|mrs|ms|dr|prof|st|inc|ltd|co|corp|avg|max|min|incl|excl|resp|ca|cf|dept|est|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|a\.m|p\.m|u\.s|u\.k|[a-z])\.$/i;
const ASKS =
  'how|what|whats|which|when|where|who|why|is|are|was|were|does|did|show|list|compare|give|tell|find|count|plot|calculate';
/** Where one sentence asks two things. */
const BREAK = new RegExp(
  `;\\s+|,?\\s+and\\s+then\\s+|,\\s+then\\s+|,\\s+(?:and|or|but)\\s+(?:also\\s+)?(?=(?:${ASKS})\\b)|\\s+and\\s+(?:also\\s+)?(?=(?:how\\s+(?:many|much)|what|which|when|where|who)\\b)`,
  'gi',
);

/** Cuts a prompt into what stands in it: sentences, list items, and the questions that one sentence asks together. */
export function partsOf(prompt: string): readonly PromptPart[] {
  const parts: PromptPart[] = [];
  let scope = '';
  for (const unit of unitsOf(prompt)) {
    if (!unit.isItem) scope = '';
    if (LEAD_IN.test(unit.text)) {
      scope = scopeOf(unit.text);
      if (scope !== '') continue;
    }
    const held = unit.isItem ? scope : '';
    parts.push(
      ...sentencesOf(unit.text).flatMap((sentence) => brokenUp(sentence).map((text) => ({ text, scope: held }))),
    );
  }
  return parts.filter(({ text }) => /[\p{L}\d]/u.test(text)).slice(0, MAX_PARTS);
}

function scopeOf(lead: string): string {
  const text = lead.replace(LEAD_IN, '').trim();
  return SCOPE.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : '';
}

interface Unit {
  readonly text: string;
  readonly isItem: boolean;
}

/** List items, and lines that belong together; an empty line ends what was open. */
function unitsOf(prompt: string): readonly Unit[] {
  const units: Unit[] = [];
  for (const line of prompt.split(/\r\n|[\n\r\u2028\u2029]/)) {
    const mark = ITEM.exec(line)?.[0] ?? '';
    const text = line.slice(mark.length).trim();
    const last = units.at(-1);
    const isItem = mark !== '';
    if (last !== undefined && !isItem && text !== '' && goesOn(last.text)) {
      units[units.length - 1] = { ...last, text: `${last.text} ${text}` };
    } else {
      units.push({ text, isItem });
    }
  }
  return units
    .filter(({ text }) => text !== '')
    .map(({ text, isItem }) => ({ text: text.replace(/\s+/g, ' '), isItem }));
}

function goesOn(text: string): boolean {
  if (text === '' || text.length >= MAX_SENTENCE) return false;
  const before = text.slice(-END);
  if (/[.?!:;]["”’)]*\s*$/.test(before)) return false;
  return text.length >= WRAPPED || /(?:,|\b(?:and|or|the|of|in|for|by|per|with|to|a))\s*$/i.test(before);
}

/** Ends at `.`, `?` and `!`, but not in abbreviations, decimals, names of files, or quotes. */
function sentencesOf(text: string): readonly string[] {
  const sentences: string[] = [];
  let from = 0;
  for (const { index, 0: end } of text.matchAll(/[.?!]+["”’)]*(?=\s)/g)) {
    const upTo = index + end.length;
    if (!endsSentence(text, from, upTo)) continue;
    sentences.push(text.slice(from, upTo).trim());
    from = upTo;
  }
  sentences.push(text.slice(from).trim());
  return sentences.filter((sentence) => sentence !== '').map((sentence) => sentence.slice(0, MAX_SENTENCE));
}

function endsSentence(text: string, from: number, upTo: number): boolean {
  const said = text.slice(Math.max(from, upTo - MAX_SENTENCE), upTo);
  if (isOpen(said)) return false;
  if (/[?!]["”’)]*$/.test(said)) return true;
  return /^\s+["“‘(]?[\p{Lu}\d]/u.test(text.slice(upTo, upTo + 4)) && !ABBREVIATION.test(said.slice(-12));
}

/** Within quotes or brackets. */
function isOpen(text: string): boolean {
  const straight = text.split('"').length % 2 === 0;
  const curly = text.lastIndexOf('“') > text.lastIndexOf('”');
  return straight || curly || text.lastIndexOf('(') > text.lastIndexOf(')');
}

function brokenUp(sentence: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { index, 0: gap } of sentence.matchAll(BREAK)) {
    const before = sentence.slice(from, index);
    const after = sentence.slice(index + gap.length);
    if (isOpen(before) || !isWhole(before) || !isWhole(after)) continue;
    parts.push(before.trim());
    from = index + gap.length;
  }
  return [...parts, sentence.slice(from).trim()];
}

/** Two words at least, and no comparison that is still waiting for its other side. */
function isWhole(text: string): boolean {
  return /\S\s+\S/.test(text.trim()) && !/\b(?:between|compare|both)\s+\S+$/i.test(text.trim());
}
