const OPENS = String.raw`^(?:(?:here|note that|in (?:this|the) (?:analysis|data ?set|study|table)|for this(?: \p{L}+)?|and|also|we say(?: that)?),?\s+)*`;
const CALLED = String.raw`(?:considered|classified|regarded|treated|labell?ed|categori[sz]ed|deemed|defined|called|counted|marked|flagged|termed|said)`;
/** `flats are considered large when they have at least 4 rooms`. */
const LABELLED = [
  String.raw`["“'](?<label>[^"”']{2,30})["”']`,
  String.raw`(?<label>\p{L}[\p{L}-]*(?: \p{L}[\p{L}-]*){0,2}?)`,
].map(
  (label) =>
    new RegExp(
      String.raw`${OPENS}(?:an?\s+|the\s+|all\s+|every\s+|each\s+|any\s+)?(?<who>\p{L}+(?: \p{L}+)?)\s+(?:(?:is|are|was|were|shall be|should be|can be)\s+(?:${CALLED}\s+)?|counts?\s+)(?:as\s+|to\s+be\s+)?(?:an?\s+)?${label}\s*,?\s+(?:if|when|whenever|where|once)\s+(?<test>[^?;]{4,120}?)[.;]?$`,
      'iu',
    ),
);
/** What tests and distributions are called is no name for rows. */
const OF_FIGURES =
  /\b(?:significant|significantly|normal|normally|outliers?|symmetric\w*|skewed|strong|weak|moderate|correlated|missing|null|rejected|accepted|different|equal|positive|negative|independent|dependent|linear|it|this|that|there|result|difference|correlation|relationship|test|distribution|hypothesis|skewness)\b/iu;
const LEAST = 3;

interface Labelled {
  readonly label: string;
  readonly definition: string;
}

/** Sentences that say which rows a word is for, as orders to call them so, each before the word is used; and what the others are called. */
export function withLabels(sentences: readonly string[]): readonly string[] {
  return sentences.reduce<readonly string[]>((told, sentence) => {
    const labelled = labelledIn(sentence);
    if (labelled === null) return told;
    const rest = told.filter((one) => one !== sentence).map((one) => withOthers(one, labelled.label));
    const use = rest.findIndex((one) => saysLabel(one, labelled.label));
    const at = use < 0 ? told.indexOf(sentence) : Math.min(use, told.indexOf(sentence));
    return [...rest.slice(0, at), labelled.definition, ...rest.slice(at)];
  }, sentences);
}

function labelledIn(sentence: string): Labelled | null {
  const groups = LABELLED.map((pattern) => pattern.exec(sentence.trim())?.groups).find((one) => one !== undefined);
  const { label = '', who = '', test = '' } = groups ?? {};
  if (label.length < LEAST || OF_FIGURES.test(label) || OF_FIGURES.test(who)) return null;
  return { label, definition: `Label ${who} as "${label}" if ${test}.` };
}

function saysLabel(sentence: string, label: string): boolean {
  return sentence.toLowerCase().includes(label.toLowerCase());
}

/** `the others`, `unsponsored` of what is called sponsored. */
function withOthers(sentence: string, label: string): string {
  if (!saysLabel(sentence, label)) return sentence;
  const not = `"not ${label}"`;
  return sentence
    .replace(new RegExp(String.raw`\b(?:un|non[- ]?|not )${escaped(label)}\b`, 'giu'), not)
    .replace(
      /,?\s*\band (?:what|how (?:much|high|large)) (?:is|are|was|were) (?:it|that|they|this) (?:for|of|in|among) (?:all )?(?:the )?(?:others?|rest|remaining|other)(?: \p{L}+)?(?=\s*[?.])/giu,
      ` and of ${not}`,
    )
    .replace(
      /\b(?:all )?(?:the )?(?:others|other ones|rest|remaining ones|all others)(?=\s*[?.,;]|\s+and\b|$)/giu,
      not,
    );
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/gu, String.raw`\$&`);
}
