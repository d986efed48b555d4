const SIGN = String.raw`\b(?:plus|minus|times|divided by)\b`;
const FORMULA = String.raw`(?:\d\.\d|[^?.;])*?${SIGN}(?:\d\.\d|[^?.;])*?`;
const FIGURE = String.raw`(?:mean|average|median|total|sum|maximum|minimum|highest|lowest|largest|smallest|standard deviation|variance|skewness)`;
/** `body mass index (BMI)`. */
const ALIAS = /\b(?<words>(?:[\p{L}-]+\s){1,5}?[\p{L}-]+)\s\((?<alias>\p{Lu}{2,6})\)/gu;
/** `calculate the C/N ratio: a divided by b`. */
const COLON = new RegExp(
  String.raw`^(?:please |then |first |next )*(?:calculate|compute|determine|derive|define|create|add|find|form|make|build|work out)\s+(?:the |an? )?(?:new )?(?:column |feature |variable )?(?<name>\p{L}[\p{L}\d/_-]*(?: [\p{L}\d/_-]+){0,4}?)\s*:\s+(?<how>${FORMULA})(?<end>[.;]?)$`,
  'iu',
);
/** `the average growth from a to b, that is (b minus a) divided by a`. */
const SAID_EXACTLY = new RegExp(
  String.raw`\b(?<figure>${FIGURE})\s+(?<name>[^?.;()]{3,80}?),?\s+(?:that is(?: to say)?|namely|i\.\s?e\.|(?:which is )?(?:defined|calculated|computed|given|measured) (?:as|by)),?\s+(?:the\s+)?(?<how>${FORMULA})(?=[?.;]|$)`,
  'iu',
);
const GROUPS = /\b(?:per|by|each|every|where|with|whose|among|only)\b/iu;
/** `the density in 2020 openbracket a divided by b closebracket`, after a verb that makes something of each row. */
const OF_EACH = new RegExp(
  String.raw`^(?:please |then |first |next )*(?:calculate|compute|determine|derive|define|create|add|find|form|make)\s+(?:the |an? )?(?<name>[\p{L}][^?.;:()]{2,60}?)\s*,?\s+(?:as\s+)?openbracket (?<how>[^?.;]*?${SIGN}[^?.;]*?) closebracket\s+(?:for|of|in|per) (?:each|every|all(?: the)?)\b[^?.;]*(?<end>[.;]?)$`,
  'iu',
);

/** Short names in brackets stand for the words before them in the whole message. */
export function withAliases(message: string): string {
  let text = message;
  for (const { groups } of message.matchAll(ALIAS)) {
    const alias = groups?.['alias'] ?? '';
    const words = wordsFor(alias, groups?.['words'] ?? '');
    if (words === null) continue;
    text = text.replaceAll(`${words} (${alias})`, alias).replaceAll(words, alias);
  }
  return text;
}

/** As many of the last words as the short name has letters, if they begin with them. */
function wordsFor(alias: string, words: string): string | null {
  const last = words.split(/[\s-]+/u).slice(-alias.length);
  const initials = last.map((word) => word.charAt(0).toUpperCase()).join('');
  const text = words.slice(words.lastIndexOf(last.join(' ')));
  return initials === alias && text === last.join(' ') ? text : null;
}

/** A sentence in which a formula has a name before it, as a definition or as the formula alone. */
export function withFormulas(sentence: string): string {
  const made = COLON.exec(sentence) ?? OF_EACH.exec(sentence);
  if (made !== null) {
    const { name = '', how = '', end = '' } = made.groups ?? {};
    return `Define ${shortName(name)} as ${how}${end}`;
  }
  return sentence.replace(SAID_EXACTLY, (whole, figure: string, name: string, how: string) =>
    GROUPS.test(name) ? whole : `${figure} of ${how}`,
  );
}

/** `population density in 2020`: the words before a preposition. */
function shortName(name: string): string {
  return name.replace(/\s+(?:in|of|for|from|at|on|per)\s.*$/iu, '');
}
