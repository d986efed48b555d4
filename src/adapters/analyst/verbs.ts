import type { Hint } from './column-facts.js';
import { stem } from './text.js';

/** Past forms that are not made by rule; a participle of its own follows after a slash. */
const IRREGULAR: ReadonlyMap<string, readonly string[]> = new Map(
  `spend spent|sell sold|cost cost|pay paid|take took/taken|hold held|draw drew/drawn|fly flew/flown|teach taught|write wrote/written
   sing sang/sung|build built|make made|lead led|run ran|buy bought|win won|find found|drive drove/driven|ride rode/ridden
   come came|stand stood|rise rose/risen|bring brought|get got/gotten|keep kept|lend lent|shoot shot|weigh weighed`
    .split(/[|\n]/)
    .map((entry) => entry.trim().split(/[ /]/))
    .map(([base = '', ...past]) => [base, past] as const),
);

/** All forms of a verb: `teach`, `teaches`, `taught`, `teaching`. */
export function formsOfVerb(base: string): readonly string[] {
  const third = /(s|x|z|ch|sh)$/.test(base) ? `${base}es` : base.replace(/([^aeiou])y$/, '$1ie').concat('s');
  const root = base.replace(/e$/, '');
  const past = IRREGULAR.get(base) ?? [
    base.endsWith('e') ? `${base}d` : base.replace(/([^aeiou])y$/, '$1i').concat('ed'),
  ];
  const doubled = /^[^aeiou]*[aeiou][^aeiouwxy]$/.test(base) ? [`${base}${base.slice(-1)}ing`] : [];
  return [...new Set([base, third, ...past, `${root}ing`, ...doubled])];
}

/** Verbs by what follows the colon; several with the same are separated by commas. */
function lexicon(list: string): readonly (readonly [string, readonly string[]])[] {
  return list
    .split(/[|\n]/)
    .filter((entry) => entry.includes(':'))
    .map((entry) => entry.trim().split(/\s*:\s*/))
    .flatMap(([verbs = '', nouns = '']) =>
      verbs
        .split(', ')
        .flatMap(formsOfVerb)
        .map((form) => [form, nouns.split(' ')] as const),
    );
}

/** Verbs that speak of a column of numbers, the likeliest first: who earns, what was sold, a hall that holds. */
const MEASURING = `
  spend: revenue amount spending budget cost | earn: salary revenue income earnings gross wage | sell: quantity sold sales
  weigh: weight | cost: price cost fee fare rent
  charge: fee price fare rate | last: duration length runtime | take: duration minutes
  hold, seat, accommodate: capacity seats | carry: seats capacity passengers payload | employ: employees staff workers headcount
  gross: gross revenue | attract: visitors attendance visits | draw: attendance visitors | score: points score goals | receive, poll: votes
  cover: area | fly: range distance | travel: distance | attend: attendance enrolled participants | consume: consumption
  produce: production output | sit: seats capacity`;

/** Verbs that are something else in their other forms: the rain, what was paid. */
const PAID = ['fee', 'price', 'fare', 'rent', 'amount'];
const FORMS: readonly (readonly [string, readonly string[]])[] = [
  ['rained', ['precipitation']],
  ['pay', PAID],
  ['pays', PAID],
];

/** Verbs that speak of a column. */
export const VERB_HINTS: ReadonlyMap<string, readonly Hint[]> = new Map(
  [...lexicon(MEASURING), ...FORMS].map(([form, nouns]) => [
    form,
    nouns.map((noun) => ({ word: stem(noun), direction: 'desc' as const })),
  ]),
);

/** Verbs by what the one is called who does it. */
const DOING = `
  teach: lecturer teacher instructor professor tutor | design: architect designer | direct: director | compose: composer
  write: author writer lyricist | sing, perform, record: singer artist performer band musician | own: owner
  supply, deliver: supplier vendor courier carrier | make, manufacture, build, produce: maker manufacturer producer brand builder company
  lead, govern, head: mayor leader head manager president governor captain | manage: manager | coach, train: coach trainer manager
  publish: publisher | treat: doctor physician vet | paint: painter artist | operate: operator airline carrier
  buy, order, purchase: customer buyer client | win: winner | found: founder | invent: inventor | host: host presenter
  edit: editor | drive: driver | ride: rider jockey | borrow: borrower member | rent: tenant | review: reviewer critic
  develop: developer | translate: translator | referee: referee | report: reporter | use: user | star: actor star | act: actor`;

/** What those are called who do something: `teaches` the lecturer. */
export const DOERS: ReadonlyMap<string, readonly string[]> = new Map(lexicon(DOING));

/** Nouns for persons and for what acts like one. */
export const PERSONS: ReadonlySet<string> = new Set([
  ...[...DOERS.values()].flat(),
  ...`person employee staff worker student pupil patient passenger guest visitor player athlete driver candidate politician
  cust customer client user subscriber participant respondent runner employee teacher scientist cashier clerk agent assigned contact referee keeper officer
  inspector judge nurse dentist surgeon pilot therapist consultant technician engineer caller applicant claimant defendant resident donor volunteer
  guide chef farmer grower breeder collector dealer handler warden ranger supervisor investor lender subscriber`.split(
    /\s+/,
  ),
]);
