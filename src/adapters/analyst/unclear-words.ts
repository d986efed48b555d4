import type { TableBriefing } from '../../ports/chat-model.js';
import { offersWords, quotedList } from './answer-words.js';
import { inline } from './markdown.js';
import type { Understanding } from './message/understanding.js';
import { nearestNames } from './nearest-names.js';
import { joined } from './number-words.js';
import { suggestQuestions } from './suggestions.js';
import { stem, wordsOf } from './text.js';

const OFFERS = 3;
const CONSIDERED = 12;
const SHOWN_COLUMNS = 15;
const MAX_VALUES = 10;

type Unclear = Understanding & { readonly kind: 'unclear' };

/** An honest no: what was not understood, why, and what can be asked instead. */
export function unclearWords(read: Unclear, question: string, table: TableBriefing): readonly string[] {
  const offers = offersFor(question, table);
  return [
    problemWords(read, table),
    ...knownWords(read.unread, table),
    ...(offers.length > 0 ? [offersWords('You can ask, for example', offers)] : []),
  ];
}

/** What stood in the way, and what looks like it. */
export function problemWords({ reasons, unread }: Unclear, { profile }: TableBriefing): string {
  const opening =
    unread.length > 0
      ? `I could not read ${quotedList(unread)}, so I would rather not guess.`
      : 'I could not read that as a question about this table.';
  const told = reasons.map((reason) => inline(reason, 400));
  const near = nearestNames(unread, profile);
  const like = near.map(({ name, what }) => `the ${what} “${inline(name)}”`);
  return [
    ...(reasons.length > 0 && unread.length === 0 ? [] : [opening]),
    ...told,
    ...(like.length > 0 ? [`Spelled most like it: ${joined(like, 'or')}.`] : []),
  ].join(' ');
}

/** What the table has to ask about. */
export function knownWords(unread: readonly string[], { profile }: TableBriefing): readonly string[] {
  const nearest = nearestNames(unread, profile).filter(({ what }) => what === 'column');
  const first = nearest.map(({ name }) => name);
  const names = [...first, ...profile.columns.map(({ name }) => name).filter((name) => !first.includes(name))];
  const columns = names.slice(0, SHOWN_COLUMNS).map((name) => inline(name));
  const more = names.length > SHOWN_COLUMNS ? ` and ${names.length - SHOWN_COLUMNS} more` : '';
  return [`The columns are ${columns.join(', ')}${more}.`, ...(unread.length > 0 ? knownValues(profile) : [])];
}

/** Questions that are certain to be understood, those first that share most words with what was asked. */
export function offersFor(question: string, { profile }: TableBriefing): readonly string[] {
  return nearest(suggestQuestions(profile, CONSIDERED), question);
}

/** Which values the metadata field has, where they are few: people ask for one that is not there. */
function knownValues({ columns, metaField }: TableBriefing['profile']): readonly string[] {
  const column = columns.find(({ name }) => name === metaField);
  const values = column?.topValues ?? [];
  if (column === undefined || values.length === 0 || values.length > MAX_VALUES || column.distinct > values.length)
    return [];
  return [`Values of ${inline(metaField)}: ${values.map(({ value }) => inline(value)).join(', ')}.`];
}

/** Those that share most words with what was asked. */
function nearest(offers: readonly string[], question: string): readonly string[] {
  const asked = new Set(wordsOf(question.slice(0, 2000)).map(stem));
  const shared = (offer: string): number =>
    new Set(
      wordsOf(offer)
        .map(stem)
        .filter((word) => asked.has(word)),
    ).size;
  return offers
    .map((offer, place) => ({ offer, place, score: shared(offer) }))
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .slice(0, OFFERS)
    .map(({ offer }) => offer);
}
