/** A full stop behind these ends no sentence. */
const ABBREVIATION =
  /(?:^|[\s(["“])(?:e\.g|i\.e|etc|approx|ca|cf|vs|no|nos|nr|fig|figs|sec|ch|art|para|p|pp|vol|avg|max|min|incl|excl|resp|tel|ext|est|dr|mr|mrs|ms|prof|st|inc|ltd|co|corp|dept|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|a\.m|p\.m|u\.s|u\.k|z\.\s?b|d\.\s?h|u\.\s?a|bzw|inkl|zzgl|ggf|usw|[A-Z])\.$/iu;
/** Nor does one behind the number of an item, or of a day in a German date. */
const ITEM = /^\(?\d{1,3}[.)]$/;
const DAY = /(?:^|[\s(])\d{1,2}\.$/;
const GERMAN_MONTH =
  /^(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Jan\.|Feb\.|Aug\.|Sept?\.|Okt\.|Nov\.|Dez\.)/u;
/** Nobody reads a sentence beyond this; it also bounds what hostile text costs. */
const MAX_SENTENCE = 2000;

/** The sentences of a text that was printed: each begins with a capital letter, a figure or a quote. */
export function printedSentences(text: string): readonly string[] {
  const sentences: string[] = [];
  for (const part of text.split(/(?<=[.!?…]["'”’»)\]]*)\s+(?=["'“„«([]*[\p{Lu}\p{N}\p{Lo}])|(?<=[。！？])/u)) {
    const before = sentences.at(-1);
    if (before !== undefined && goesOn(before, part)) sentences[sentences.length - 1] = `${before} ${part}`;
    else sentences.push(part);
  }
  return sentences.map((sentence) => sentence.trim()).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

function goesOn(before: string, part: string): boolean {
  const end = before.slice(-12);
  return ITEM.test(before.trim()) || ABBREVIATION.test(end) || (DAY.test(end) && GERMAN_MONTH.test(part));
}

/** The sentences of a text that somebody typed: after `?` and `!` any letter begins one, and none ends within quotes or brackets. */
export function typedSentences(text: string): readonly string[] {
  const sentences: string[] = [];
  let from = 0;
  for (const { index, 0: end } of text.matchAll(/(?<![.?!])[.?!]+["”’)]*(?=\s)/g)) {
    const upTo = index + end.length;
    if (!endsTyped(text, from, upTo)) continue;
    sentences.push(text.slice(from, upTo).trim());
    from = upTo;
  }
  sentences.push(text.slice(from).trim());
  return sentences.filter((sentence) => sentence !== '').map((sentence) => sentence.slice(0, MAX_SENTENCE));
}

function endsTyped(text: string, from: number, upTo: number): boolean {
  const said = text.slice(Math.max(from, upTo - MAX_SENTENCE), upTo);
  if (isOpen(said)) return false;
  if (/[?!]["”’)]*$/.test(said)) return true;
  return /^\s+["“‘(]?[\p{Lu}\d]/u.test(text.slice(upTo, upTo + 4)) && !ABBREVIATION.test(said.slice(-12));
}

/** Whether a quote or a bracket of the text is still to be closed. */
export function isOpen(text: string): boolean {
  const straight = text.split('"').length % 2 === 0;
  const curly = text.lastIndexOf('“') > text.lastIndexOf('”');
  return straight || curly || text.lastIndexOf('(') > text.lastIndexOf(')');
}
