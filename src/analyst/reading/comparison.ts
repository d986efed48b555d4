import type { Comparison } from '../../ports/analysis-plan.js';
import type { Question } from './question.js';

export type OpClass = 'ge' | 'le' | 'between' | 'gt' | 'lt' | 'ne' | 'none';
export const SIGN_OF: Readonly<Record<OpClass, Comparison>> = {
  ge: '>=',
  le: '<=',
  gt: '>',
  lt: '<',
  ne: '!=',
  none: '=',
  between: '=',
};

/** Words that tell how something compares; `negated` counts only where a `not` stands before it, too. */
interface Cue {
  readonly says: OpClass;
  readonly before?: RegExp;
  readonly after?: RegExp;
  readonly negated?: RegExp;
}

/** The first that fits is what is meant. */
const CUES: readonly Cue[] = [
  {
    says: 'ge',
    before: / (?:at least|no less than|no fewer than|minimum of|min|mindestens|from|starting) $| >= $|≥/,
    after:
      /^ (?:\w+ )?(?:or|and) (?:more|above|higher|older|over|greater|later|longer|after|up|better|newer|mehr)|^ ?\+ |^ (?:upwards|plus) /,
    negated: / (?:lower|less|below|under|smaller|fewer|shorter|younger|earlier|lighter|cheaper) (?:than )?/,
  },
  {
    says: 'le',
    before: / (?:at most|no more than|up to|maximum of|max|hochstens|until|till|within) $| <= $|≤/,
    after: /^ (?:\w+ )?(?:or|and) (?:less|fewer|below|younger|lower|under|earlier|before|worse|weniger)/,
    negated:
      / (?:higher|more|above|over|greater|larger|farther|further|longer|later|older|taller|wider|bigger|heavier) (?:than )?/,
  },
  { says: 'between', before: / (?:between|zwischen) / },
  {
    says: 'gt',
    before:
      / (?:more|greater|higher|larger|bigger|older|longer|later|heavier|taller|better|faster|warmer|hotter|mehr|rather) (?:than |als )?| (?:over|above|after|exceed\w*|since|past|beyond|uber|ab|exceeding|topped|tops|passed|passes|beats?|surpass\w*) | > /,
  },
  {
    says: 'lt',
    before:
      / (?:less|fewer|lower|smaller|younger|shorter|earlier|lighter|cheaper|colder|slower|worse|weniger) (?:than |als )?| (?:under|below|before|unter|vor) | < /,
  },
  { says: 'gt', before: / \w+er than / },
  { says: 'ne', before: / (?:other than|except|excluding|without|apart from|neither|nor) /, negated: /^/ },
];

/** The `past` of PAST-01 compares nothing. */
function isInName({ linked }: Question, at: number): boolean {
  return linked.values.some(
    ({ from, to, guesses }) => from <= at && at < to && to - from > 1 && guesses[0]?.how === 'exact',
  );
}

/** What the words around a number or date say about how it compares. */
export function comparisonAround(question: Question, from: number, to: number): OpClass {
  const wordAt = (at: number): string => (isInName(question, at) ? '' : question.wordAt(at));
  const before = ` ${Array.from({ length: 4 }, (_, index) => wordAt(from - 4 + index)).join(' ')} `;
  const after = ` ${[0, 1, 2].map((index) => wordAt(to + index)).join(' ')} `;
  const isNegated = / (?:not|no|never|dont|doesnt|isnt) /.test(before);
  const cue = CUES.find(
    (one) =>
      one.before?.test(before) === true ||
      one.after?.test(after) === true ||
      (isNegated && one.negated?.test(before) === true),
  );
  return cue?.says ?? 'none';
}
