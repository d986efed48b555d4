import type { TableBriefing } from '../ports/chat-model.js';
import type { ColumnProfile } from '../ports/table.js';
import { momentWords } from '../plan/time-words.js';
import { inline } from '../shared/markdown.js';
import { counted, firstFew, joined, numberWords } from '../shared/number-words.js';
import { fold } from './reading/words.js';
import { OF_ALL_COLUMNS } from './reading/statistic-heads.js';
import type { Unclear } from './understanding.js';

const SHOWN_COLUMNS = 15;
const WHOLE = (words: string): RegExp => new RegExp(`^\\W*(?:${words})\\W*$`, 'iu');

const GREETING = WHOLE(
  '(?:hi|hello|hey|hiya|hallo|guten (?:morgen|tag|abend)|good (?:morning|afternoon|evening|day)|greetings)(?: there| again| all| everybody| everyone| dear| analyst)*',
);
const THANKS = WHOLE(
  "(?:ok(?:ay)?,? |great,? |perfect,? |many )?(?:thanks?(?: you)?|thank you|thx|ty|cheers|danke|bye|goodbye|great|perfect|well done)(?:,? (?:so much|very much|a lot|again|for (?:your|the) help|dear|that(?: is|’s|'s) all|goodbye|bye))*",
);
const HELP = WHOLE(
  '(?:please )?(?:help(?: me)?(?: please)?|(?:who|what) are you|what (?:can|do) you do(?: for me)?|how (?:can|do) you help(?: me)?|how does (?:this|it) work|what (?:can|could|may|should) i ask(?: you| here)?|(?:what|which) questions can (?:i ask|you answer)(?: you)?)',
);
const ABOUT = WHOLE(
  "(?:please )?(?:(?:what|which) (?:columns|fields|variables) (?:are (?:there|in (?:the|this) (?:table|data|file|dataset))|does (?:the|this) (?:table|data|file|dataset) have|do (?:you|we) have)|(?:show|list)(?: me)?(?: all)?(?: the)? (?:columns|fields)|(?:what|which) (?:data|information) (?:is (?:there|this|in (?:the|this) (?:table|file|dataset))|do (?:you|we) have)|what(?: is|'s|’s) (?:in )?(?:the|this) (?:data|table|file|dataset)(?: about)?|tell me about (?:the|this) (?:data|table|file|dataset))",
);

const EXPORT = WHOLE(
  '(?:please )?(?:can (?:i|you) )?(?:export|download|save)(?: (?:it|this|that|them|(?:the|this) (?:table|list|result|chart|answer|figures|rows)))?(?: (?:as|to|into|in) (?:an? )?(?:csv|excel|xlsx?|pdf|png|file|spreadsheet)(?: file)?)?(?: please)?',
);

const GAP = /\b(?:missing|empty|nulls?|blanks?|gaps|incomplete|complete|completeness|quality)\b/iu;
/** Nothing but words that ask where values are missing: `which columns have gaps?`, `how complete is the data?` */
const GAPS = WHOLE(
  `(?:(?:${GAP.source}|please|check|show|list|me|what|whats|which|how|many|much|is|are|there|have|has|any|the|this|my|our|most|by|per|in|of|for|each|columns?|fields?|values?|cells?|data|table|file|dataset)\\W*)+`,
);

/** Questions that no row answers. Each is told by its first words, for the same words inside a question may be about a column. */
const BEYOND: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:and |but |so |please )?(?:(?:find out|explain|tell me|say) )?why\b(?! not\b)[^?]*\??$/iu,
    'I can show figures, but not say why they are so.',
  ],
  [
    /^(?:and |but |so )?(?:should (?:i|we|they|he|she)\b|(?:what )?do you (?:think|recommend)\b|what would you (?:do|recommend)\b)/iu,
    'I can show figures, but not judge or recommend.',
  ],
  [
    /^(?:and |but |so |please )?(?:(?:predict|forecast)\b(?!.*\bfrom\b)|will (?:it|we|they|he|she|there|you|the)\b)/iu,
    'I answer from the rows that are there; I don’t predict.',
  ],
  [
    /^(?:please |could you |can you )*(?:delete|erase|overwrite)\b/iu,
    'I only read; nothing I am asked changes the data.',
  ],
];

type Aside = Omit<Unclear, 'offers'>;

/** What to say to a message that asks nothing of the rows, or what no row can tell; `null` where it asks something. */
export function asideOf(message: string, table: TableBriefing): Aside | null {
  const asked = message.trim().slice(0, 500);
  if (GREETING.test(asked)) return talk('Hello. Ask me about the rows of this table.');
  if (THANKS.test(asked)) return talk('You are welcome.');
  if (HELP.test(asked)) return talk(`I answer questions about this table with figures and charts. ${columnsOf(table)}`);
  if (ABOUT.test(asked)) return talk(columnsOf(table));
  if (EXPORT.test(asked)) return talk('Below an answer, CSV saves its rows and PNG its chart.');
  const column = columnWords(asked, table);
  // Files may say more of it.
  if (column !== null) return { ...talk(column), isAside: false };
  const beyond = BEYOND.find(([words]) => words.test(asked));
  return beyond === undefined
    ? null
    : { kind: 'unclear', verdict: 'cannot', unread: [], isAside: true, says: beyond[1] };
}

function talk(says: string): Aside {
  return { kind: 'unclear', verdict: 'clarify', unread: [], isAside: true, says };
}

/** Whether a message asks where values are missing, and nothing else; a column may be called Quality, and a state `complete`. */
export function asksForGaps(message: string, { profile: { columns } }: TableBriefing): boolean {
  const asked = message.trim().slice(0, 500);
  if (!GAP.test(asked) || !OF_ALL_COLUMNS.test(asked) || !GAPS.test(asked)) return false;
  return !columns.some(({ name, topValues }) =>
    [name, ...topValues.map(({ value }) => value)].some((one) => GAP.test(one)),
  );
}

function columnsOf({ profile: { columns } }: TableBriefing): string {
  const names = columns.map(({ name }) => inline(name));
  return `The columns are ${firstFew(names, SHOWN_COLUMNS)}.`;
}

const MEANS =
  /^\W*(?:please )?(?:what(?: does|['’]s| is(?: in)?| are)?|explain|meaning of|describe)(?: the)?(?: (?:meaning|definition) of)?(?: the)?(?: (column|field))? ["“”'‘’`]?(.+?)["“”'‘’`]?(?: (column|field))?(?: (mean|means|stand for|stands for|about|contain|hold))?(?: (?:here|exactly|in this (?:table|file)))?\W*$/iu;
const NAMED_VALUES = 5;

/** What is known of a column whose meaning a message asks for; null: it asks for something else. */
function columnWords(message: string, table: TableBriefing): string | null {
  const [, before, name = '', after, verb] = MEANS.exec(message) ?? [];
  if (before === undefined && after === undefined && verb === undefined) return null;
  const column = table.profile.columns.find((one) => isCalled(one.name, name));
  if (column === undefined) return null;
  const known = table.semantics?.columns.find((one) => one.name === column.name);
  const description = known?.description ?? '';
  const meaning =
    description === ''
      ? `Nobody has written down what **${inline(column.name)}** means.`
      : `**${inline(column.name)}**: ${inline(description, 600)}`;
  return `${meaning} ${valuesOf(column)}`;
}

/** Without regard to signs and what stands in brackets: `Fee (USD)` is called fee. */
function isCalled(column: string, name: string): boolean {
  const plain = (text: string): string =>
    fold(text)
      .replace(/[^\p{L}\d]+/gu, ' ')
      .trim();
  return [column, column.replace(/[([].*$/, '')].some((one) => plain(one) !== '' && plain(one) === plain(name));
}

function valuesOf({ type, min, max, mean, distinct, nulls, topValues }: ColumnProfile): string {
  const gaps = nulls === 0 ? '' : `, and ${counted(nulls, 'row')} without one`;
  const [low, high] = [min, max].map((value) =>
    typeof value === 'number' ? numberWords(value) : type === 'time' ? momentWords(String(value), null) : String(value),
  );
  if (min === null) return 'It is empty.';
  if (type === 'time') return `It holds times from ${low ?? ''} to ${high ?? ''}${gaps}.`;
  if (mean !== null)
    return `It holds numbers from ${low ?? ''} to ${high ?? ''}, ${numberWords(mean)} on average${gaps}.`;
  const most = topValues
    .slice(0, NAMED_VALUES)
    .map(({ value, count }) => `${inline(value, 60)} (${numberWords(count)})`);
  const often = most.length === distinct ? ':' : ', most often';
  return `It holds ${counted(distinct, 'different value')}${most.length === 0 ? '' : `${often} ${joined(most)}`}${gaps}.`;
}
