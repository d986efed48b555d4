const COUNTS = ['no|zero', 'one|a single|a', 'two', 'three', 'four', 'five', 'six'];
const COUNT = `(\\d{1,2}|${COUNTS.join('|')})`;
const ROUND =
  '(?:(?:please |and )*round(?:ed|ing)?(?: off)?(?: (?:the|your|all|each|it|them|both|final|result|answer|value|figure|number|mean|average|percentage)s?)* )?';
/** `rounded to two decimals`, `(2 decimal places)`, `to 1 d.p.`. */
const DECIMALS = new RegExp(
  `,?\\s*\\(?\\s*${ROUND}(?:to|with|using|at|give|in)?\\s*(?:exactly )?\\b${COUNT}[ -]?(?:decimals?(?: (?:places?|points?|digits?))?|digits? after the (?:decimal )?(?:point|comma)|d\\.?p\\b\\.?)(?: (?:each|only|please|pls|is enough))*\\s*\\)?`,
  'iu',
);
/** `rounded to 2`, `round to three places`. */
const ROUNDED = new RegExp(
  `,?\\s*\\(?\\s*(?=round)${ROUND}to ${COUNT}(?: places?)?(?=\\s*(?:[.;,?)]|$))\\s*\\)?`,
  'iu',
);
const WHOLE =
  /,?\s*\(?\s*(?:(?:please )?round(?:ed)?(?: (?:off|it|the \p{L}+))? )?(?:to (?:the nearest |a )?(?:whole numbers?|integers?)|without decimals)\s*\)?/iu;
/** `by plan, rounded`, `round them`. */
const BARE =
  /,?\s*\(?\s*\b(?:please |and )?(?:rounded(?: off)?|round (?:off|it|that|this|them|all|(?:the|all) \p{L}+))(?:,? (?:please|pls))?\s*\)?(?=[.!]*$)/iu;
const MOST = 10;

/** How the figures of an answer are to be written. */
export interface AnswerFormat {
  /** Digits behind the point; `null`: as suits the figure. */
  readonly decimals: number | null;
}

/** Takes the words on how to round out of a message. What stands between its words is told as one space, or one new line. */
export function formatOf(asked: string): { readonly text: string; readonly format: AnswerFormat } {
  // The patterns take time with the third power of the spaces in a row.
  const message = asked.replace(/\s+/g, (spaces) => (spaces.includes('\n') ? '\n' : ' '));
  for (const words of [DECIMALS, ROUNDED]) {
    const match = words.exec(message);
    const decimals = match === null ? null : countOf(match[1] ?? '');
    if (decimals !== null) return { text: message.replace(words, ''), format: { decimals } };
  }
  const whole = [WHOLE, BARE].find((words) => words.test(message));
  return {
    text: whole === undefined ? message : message.replace(whole, ''),
    format: { decimals: whole === undefined ? null : 0 },
  };
}

function countOf(words: string): number | null {
  const named = COUNTS.findIndex((names) => names.split('|').includes(words.toLowerCase()));
  const count = named < 0 ? Number.parseInt(words, 10) : named;
  return count <= MOST ? count : null;
}
