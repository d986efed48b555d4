import type { TableBriefing } from '../../ports/chat-model.js';
import { quotedList } from './answer-words.js';
import { bullets, inline } from './markdown.js';
import { suggestQuestions } from './suggestions.js';
import { stem, wordsOf } from './text.js';
import type { Understanding } from './understand.js';

const OFFERS = 3;
const CONSIDERED = 10;
const SHOWN_COLUMNS = 15;
const MAX_VALUES = 10;

type Unclear = Understanding & { readonly kind: 'unclear' };

/** An honest no: what was not understood, why, and what can be asked instead. */
export function unclearWords(
  { reasons, unread }: Unclear,
  question: string,
  { profile }: TableBriefing,
): readonly string[] {
  const opening =
    unread.length > 0
      ? `I could not read ${quotedList(unread)}, so I would rather not guess.`
      : 'I could not read that as a question about this table.';
  const columns = profile.columns.slice(0, SHOWN_COLUMNS).map(({ name }) => inline(name));
  const more = profile.columns.length > SHOWN_COLUMNS ? ' and more' : '';
  const offers = nearest(suggestQuestions(profile, CONSIDERED), question);
  const values = unread.length > 0 ? knownValues(profile) : [];
  const told = reasons.map((reason) => inline(reason, 400));
  return [
    (reasons.length > 0 && unread.length === 0 ? told : [opening, ...told]).join(' '),
    `The columns are ${columns.join(', ')}${more}.`,
    ...values,
    ...(offers.length > 0
      ? [`You can ask, for example:\n\n${bullets(offers.map((offer) => inline(offer, 300)))}`]
      : []),
  ];
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
