/** A sentence of a message. */
export interface Sentence {
  readonly text: string;
  /** What a colon announces it as: `Answer format: …`. */
  readonly label: string | null;
  /** The place in a list; what belongs to no item has none. */
  readonly item: number | null;
}

const MARKER =
  /(?:^|\n|(?<=[.:;?!])\s+|(?<=[:;,?.]\s|\s)(?=\())\s*(?:[-*•–]\s+|\(?(?:\d{1,2}|[a-hA-H]|i{1,3}|iv|v)[).](?=\s)|(?:question|part|task|step)\s+\d{1,2}\s*[:.)-]|(?:first|second|third|fourth)(?:ly)?,)\s*/giu;
const INLINE = /(?<=[:;,?.]\s|\s)\(?(?:\d{1,2}|[a-hA-H])\)\s+/gu;
const LABEL =
  /^\s*(?<label>(?:answer|output|response|result)?\s*format|task|question|constraints?|instructions?|notes?|goal|objective|background|context|method|hint|requirements?|output|answer)\s*:\s*/iu;
const ABBREVIATED =
  /(?:\b(?:e\.g|i\.e|vs|avg|approx|etc|no|std|dev|st|mr|mrs|dr|fig|min|max|dept|resp|incl|excl)|\b\p{L})\.$/iu;
const QUOTED = /"[^"]{0,200}"|“[^”]{0,200}”/gu;

/** Cuts a message into sentences; dots in quotes, numbers and abbreviations end none. */
export function sentencesOf(message: string): readonly Sentence[] {
  const items = itemsOf(message);
  return items.flatMap(({ text, item }) =>
    cut(text).flatMap((sentence) => {
      const label = LABEL.exec(sentence)?.groups?.['label']?.toLowerCase().trim() ?? null;
      const bare = label === null ? sentence : sentence.replace(LABEL, '');
      return /[\p{L}\p{N}]/u.test(bare) ? [{ text: bare.trim(), label, item }] : [];
    }),
  );
}

interface Item {
  readonly text: string;
  readonly item: number | null;
}

/** A list has two items at least; a lone `1.` is a number. */
function itemsOf(message: string): readonly Item[] {
  const starts = markersOf(message);
  if (starts.length < 2) return [{ text: message, item: null }];
  const [first] = starts;
  const before = message.slice(0, first?.index ?? 0);
  const items = starts.map(({ index, length }, place) => ({
    text: message.slice(index + length, starts[place + 1]?.index ?? message.length),
    item: place,
  }));
  return [{ text: before, item: null }, ...items];
}

interface Marker {
  readonly index: number;
  readonly length: number;
}

function markersOf(message: string): readonly Marker[] {
  const found = [...message.matchAll(MARKER), ...message.matchAll(INLINE), ...numberedIn(message)]
    .map((match) => ({ index: match.index, length: match[0].length }))
    .toSorted((a, b) => a.index - b.index);
  return found.filter(({ index, length }, place) => {
    const previous = found[place - 1];
    if (closesBracket(message, index, length)) return false;
    return previous === undefined || index >= previous.index + previous.length;
  });
}

const NUMBERED = /(?:^|\s)(?<number>\d{1,2})\.\s+(?=\p{L})/gu;

/** `1. fill the gaps 2. keep …`: numbers that count from one, whatever stands before them. */
function numberedIn(message: string): readonly RegExpExecArray[] {
  const found = [...message.matchAll(NUMBERED)];
  const isCounted = found.every(({ groups }, place) => Number(groups?.['number']) === place + 1);
  return isCounted && found.length > 1 ? found : [];
}

/** `smokers (smk = 1) and …`: the end of a bracket that was opened before is no mark of an item. */
function closesBracket(message: string, index: number, length: number): boolean {
  const marker = message.slice(index, index + length);
  if (marker.includes('(') || !marker.includes(')')) return false;
  const before = message.slice(0, index);
  return before.lastIndexOf('(') > before.lastIndexOf(')');
}

function cut(text: string): readonly string[] {
  const quotes = [...text.matchAll(QUOTED)].map((match) => [match.index, match.index + match[0].length] as const);
  const out: string[] = [];
  let start = 0;
  for (const match of text.matchAll(/[.?!]+["”')]*(?=\s+["“'(]?[\p{Lu}\p{N}]|\s*$)|[;\n]+|(?<=\?)\s+(?=\p{Ll})/gu)) {
    const end = match.index + match[0].length;
    const isQuoted = quotes.some(([from, to]) => match.index >= from && match.index < to - 1);
    const isDot = match[0].startsWith('.') && end < text.trimEnd().length;
    if (isQuoted || (isDot && isAbbreviated(text, start, match.index))) continue;
    out.push(text.slice(start, end));
    start = end;
  }
  return [...out, text.slice(start)].filter((sentence) => sentence.trim().length > 0);
}

/** `… with min-max. What is …`: after the dot of an abbreviation that is a word as well, a question begins a sentence. */
function isAbbreviated(text: string, start: number, dot: number): boolean {
  if (!ABBREVIATED.test(text.slice(start, dot + 1))) return false;
  const isWord = /\b(?:[Mm]ax|[Mm]in|[Nn]o|\p{Lu})\.$/u.test(text.slice(start, dot + 1));
  return !(isWord && BEGINS.test(text.slice(dot)));
}

/** What a question, an order or a condition begins with. */
const BEGINS =
  /^\.\s+(?:What|Which|How|Is|Are|Do|Does|Give|Report|Calculate|Compute|Then|Next|Finally|Tell|State|Fill|Impute|Replace|Normali[sz]e|Standardi[sz]e|Scale|Create|Define|Exclude|Include|Only|Use|Round|Treat|Consider|Ignore|Drop|Remove|Keep|Filter|Group|Bin|Divide|Assume|Express|Find|Determine|Test|Perform|Fit|Compare|Check|Missing|Rows)\b/u;

const ASKS =
  'calculate|compute|give|report|find|determine|tell|state|say|show|list|what|how|which|is|are|does|do|plot|perform|conduct|run|test|fit|apply|create|derive|estimate|assess|evaluate|identify|check|use|provide|normali[sz]e|standardi[sz]e|fill|predict|describe|summari[sz]e|count the|count how|get|return|obtain|print|compare|indicate|then';
const SEAM = new RegExp(
  String.raw`\s*[,;:]?\s+(?:and|then|and then|after that|afterwards|and also|also|followed by)\s+(?:(?:then|also|finally|afterwards)\s+)?(?=(?:${ASKS})\b)|\s*[,;]\s*(?:and\s+)?(?:also\s+)?(?=(?:the\s+)?same\s+(?:for|of|with)\b)|\s*[,;]?\s+and\s+(?=(?:after|once|if)\s+(?:fill|replac|imput|they|these|those|the missing)\w*)|\s*[,;]\s*(?=then\s)`,
  'iu',
);

/** Cuts a sentence where a further request begins: `normalise x, then give its mean`. */
export function clausesOf(sentence: string): readonly string[] {
  return sentence
    .split(new RegExp(SEAM, 'giu'))
    .map((clause) => clause.trim())
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause));
}
