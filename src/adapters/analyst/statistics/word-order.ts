const FORMULA = String.raw`(?:(?:\d\.\d|[^?.;,])*?\b(?:minus|plus|times|divided by|(?:days|hours|minutes|seconds) between)\b(?:\d\.\d|[^?.;,])*)`;
const NAME = String.raw`(?<name>\p{L}[\p{L}\d_-]*(?: \p{L}[\p{L}\d_-]*){0,2})`;
const ASK = String.raw`(?<ask>(?:what|how|which|compute|calculate|give|report|find|determine|state|is|are|does|do)\b.*)`;
/** `what is the mean pace, where pace = a divided by b?`, `…, pace being a divided by b`. */
const TOLD_LAST = new RegExp(
  String.raw`^(?<ask>.*?)(?:,?\s+(?:where|with|if|when)\s+(?:the\s+)?${NAME}\s*(?:=|is|equals|means|stands for|as)|,\s*(?:the\s+)?${NAME.replace('name', 'other')}\s+being)\s+(?<how>${FORMULA})(?<end>[?.]?)$`,
  'iu',
);
/** `taking pace as a divided by b, what is its mean?` */
const TOLD_FIRST = new RegExp(
  String.raw`^(?:taking|defining|computing|calculating|treating|letting|with|if)\s+(?:the\s+)?${NAME}\s*(?:=|as|is|being|equal to|equals)\s+(?<how>${FORMULA}),\s+${ASK}$`,
  'iu',
);
/** `divide a by b to get pace and …`. */
const DIVIDES =
  /\bdivid(?:e|ing) (?<one>[^?.;,]{1,40}?) by (?<other>[^?.;,]{1,40}?),? (?:to (?:get|obtain|give|derive|find)|and call (?:it|this|the result)|giving) (?:the |an? )?(?<name>\p{L}[\p{L}\d_ -]{0,30}?)(?=[.,;]|\s+and\b|\s+then\b|$)/iu;
const SUBTRACTS =
  /^(?:first |then )?subtract (?:the )?(?<one>[^?.;,]{1,40}?) from (?:the )?(?<other>[^?.;,]{1,40}?)(?=[.;,]|\s+and\b|$)/iu;

/** A sentence that makes a column and asks about it, as two sentences in that order. */
export function withDefinitionsFirst(text: string): string {
  return text
    .split(/(?<=[.?!])\s+(?=\p{Lu})/u)
    .map((sentence) => definedFirst(sentence))
    .join(' ');
}

function definedFirst(sentence: string): string {
  const said = sentence
    .replace(DIVIDES, '$<name> = $<one> divided by $<other>. ')
    .replace(SUBTRACTS, 'Create a new column as $<other> minus $<one>. ')
    .replace(/\. +(?:,|and\b|then\b)\s*/iu, '. ');
  const groups = (TOLD_FIRST.exec(said) ?? TOLD_LAST.exec(said))?.groups;
  if (groups === undefined) return capitalised(said);
  return putFirst(groups);
}

function putFirst({ name, other, how, ask, end }: Readonly<Record<string, string | undefined>>): string {
  return `Define ${name ?? other ?? ''} as ${how ?? ''}. ${sentenceOf(ask ?? '')}${end ?? ''}`;
}

/** After a definition the question begins anew. */
function capitalised(said: string): string {
  return said.replace(/(?<=\bdivided by [^.]{1,60}\. |\bminus [^.]{1,60}\. )\p{Ll}/u, (letter) => letter.toUpperCase());
}

function sentenceOf(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const FIGURE = String.raw`(?:mean|average|median|total|maximum|minimum|sum|highest|lowest)`;
const LINK = String.raw`(?:in|for|of|among|at|on|from|by)`;
const EXCEEDS = new RegExp(
  String.raw`\b(?:by )?how (?:much|many \p{L}+) (?:does|do|did) (?:the )?(?<what>${FIGURE}\b[^?.,]{1,60}?) (?<link>${LINK}) (?<one>[^?.,]{1,50}?) (?:exceed|surpass|top|outstrip|differ from|lie above|lie below|fall short of) (?:(?:the )?${FIGURE}\b[^?.,]{1,60}? ${LINK}|(?:that|those|the one) ${LINK}|${LINK})? ?(?<other>[^?.,]{1,50})`,
  'iu',
);
const MINUS = new RegExp(
  String.raw`\b(?:the )?(?<what>${FIGURE}\b[^?.,]{1,60}?) (?<link>${LINK}) (?<one>[^?.,]{1,50}?) minus (?:the )?${FIGURE}\b[^?.,]{1,60}? ${LINK} (?<other>[^?.,]{1,50})`,
  'iu',
);
const CONTRAST = 'what is the difference between the $<what> $<link> $<one> and $<other>';

const NUMBER = String.raw`(?<n>\d+(?:\.\d+)?)\s*(?:%|percent|per cent)`;
const LIES = String.raw`(?:are|is|lies?|falls?|stays?|were|was|had|have|has)`;
const SHARE_BELOW = new RegExp(
  String.raw`\b${NUMBER} of (?:the |all )?(?<of>[^?,.()]{1,40}?) ${LIES} (?:at or )?(?:below|under|less than|up to|no more than)(?: (?:which|what)(?: \p{L}+)?)?`,
  'iu',
);
const BELOW_WHICH = new RegExp(
  String.raw`\b(?:below|under) (?:which|what) (?:value |level )?(?:do |does |are |is |lie )?(?:the )?(?:lowest |worst |bottom |smallest )?${NUMBER} of (?:the |all )?(?<of>[^?,.()]{1,40}?)(?: ${LIES})?(?=[\s?,.(]|$)(?: lie| fall)?`,
  'iu',
);
const TENS = ['ten', 'twent', 'thirt', 'fort', 'fift', 'sixt', 'sevent', 'eight', 'ninet'];
const ORDINAL = new RegExp(
  String.raw`\b(?<tens>tenth|(?:${TENS.slice(1).join('|')})(?:ieth|y[ -]?fifth))(?= (?:per)?centile)`,
  'giu',
);

function ordinalNumber(word: string): string {
  const at = TENS.findIndex((stem) => word.toLowerCase().startsWith(stem));
  return `${(at + 1) * 10 + (/fifth$/iu.test(word) && word.length > 8 ? 5 : 0)}th`;
}

/** `which value of a is exceeded by 10 % of the rows?`, `what a separates the top 10 % from the rest?` */
const EXCEEDED =
  /^(?:what|which)\s+(?:(?:value|level)\s+of\s+)?(?<of>[^?.,()]{1,50}?)\s+(?:(?:is|was|are|were)\s+exceeded\s+by\s+(?:only\s+|just\s+)?|separates?\s+the\s+(?:top|highest|upper|best)\s+)(?<n>\d+(?:\.\d+)?)\s*(?:%|percent|per cent)\s+of\s+[^?(]*(?:\([^)]*percentile[^)]*\))?\s*\??$/iu;
/** `for which site is the variance of a the greatest?` */
const FOR_WHICH =
  /^for (?<asker>which|what) (?<by>[^?.,]{2,40}?) (?:is|was|are|were) (?:the )?(?<what>[^?.,]{4,60}?) (?:the )?(?<extreme>highest|lowest|largest|smallest|greatest|biggest)\b/iu;

/** Constructions that say the same in another order, in the order that the grammar of statistics knows. */
export function reordered(text: string): string {
  return text
    .replace(EXCEEDED, (_whole, of: string, n: string) => `what is the percentile ${100 - Number(n)} of ${of}?`)
    .replace(FOR_WHICH, '$<asker> $<by> has the $<extreme> $<what>')
    .replace(EXCEEDS, CONTRAST)
    .replace(MINUS, CONTRAST)
    .replace(ORDINAL, ordinalNumber)
    .replace(SHARE_BELOW, 'percentile $<n> of $<of>')
    .replace(BELOW_WHICH, 'percentile $<n> of $<of>')
    .replace(
      /\b(?:deviat\w+|differ\w*|depart\w*|away|lie\w*|far) from (?:the |its |their )?(?:mean|average) by (?:more than|over|at least) (?=[\w.]+ (?:sample |population )?standard deviations?\b)/giu,
      'more than ',
    )
    .replace(/(?<=\bstandard deviations? (?:away )?from the )average\b/giu, 'mean')
    .replace(
      /\b(?:over|above|beyond) (?=[\w.]+ (?:sample |population )?standard deviations? (?:away |from))/giu,
      'more than ',
    )
    .replace(
      /\bhow (?:much|strongly|widely) (?:do|does|did) ([^?.,]{1,60}?) var(?:y|ies)(?=\s*[?.]|$)/iu,
      'what is the standard deviation of $1',
    );
}
