import { distance } from 'fastest-levenshtein';
import type { HistoryTurn, TableBriefing } from '../ports/chat-model.js';
import type { TableProfile } from '../ports/table.js';
import { inline, quotedList } from './answer-text/markdown.js';
import { purposeOf } from './answer-text/plan-words.js';
import { chartWishOf } from './charts/chart-wish.js';
import { Reader, type Reading } from './reading/reader.js';
import { ownWeights } from './reading/weights.js';
import { fold } from './reading/words.js';
import { type Proof, suggestQuestions } from './suggestions.js';
import type { Part, Understanding } from './understanding.js';

/** From here on a reading is answered, as it was found on questions that nothing was learned from. */
export const SURE = 0.55;
/** Below this not even a choice of readings is offered. */
export const POSSIBLE = 0.2;
const NOTED = 8;

/** Reads the questions of a message, which are answered one by one. */
export function understandAll(
  message: string,
  table: TableBriefing,
  history: readonly HistoryTurn[],
  now: Date,
): readonly Part[] {
  const before = history.findLast(({ plan }) => plan !== null)?.plan ?? null;
  const reader = new Reader(table, now, ownWeights());
  return reader.read(message, before).map((reading) => ({
    question: reading.text,
    understanding: understandingOf(reading),
    wish: chartWishOf(reading.text),
  }));
}

function understandingOf({ plans, confidence, unread }: Reading): Understanding {
  const [first] = plans;
  if (first === undefined || confidence < POSSIBLE) return { kind: 'unclear', verdict: 'clarify', unread };
  const readings = plans.map((plan) => ({ plan, purpose: purposeOf(plan) }));
  if (confidence < SURE) return { kind: 'choice', readings };
  return { kind: 'plan', plan: first, purpose: purposeOf(first), notes: notesOf(unread), confidence };
}

/** What was left out of a message is told. */
function notesOf(unread: readonly string[]): readonly string[] {
  return unread.length === 0 ? [] : [`I did not use ${quotedList(unread.slice(0, NOTED))}.`];
}

/** Two lines that say what was not understood, and questions that can be asked instead. */
export function unclearWords(unread: readonly string[], { profile }: TableBriefing): readonly string[] {
  const near = nearestNames(unread, profile);
  const opening =
    unread.length > 0
      ? `I don’t know what ${quotedList(unread.slice(0, 3))} means in this table.`
      : 'I can’t read that as a question about this table.';
  return [
    near.length === 0 ? opening : `${opening} Did you mean ${near.map((name) => `“${inline(name)}”`).join(' or ')}?`,
  ];
}

const SHOWN = 2;
const SHORTEST = 4;
const MAX_NAME = 60;

/** Columns and values that are spelled much like a word that nobody knows. */
function nearestNames(words: readonly string[], { columns }: TableProfile): readonly string[] {
  const names = [
    ...columns.map(({ name }) => name),
    ...columns.flatMap(({ topValues }) => topValues.slice(0, 200).map(({ value }) => value)),
  ];
  const rated = names
    .filter(({ length }) => length <= MAX_NAME)
    .flatMap((name) => {
      const least = Math.min(
        ...words
          .filter(({ length }) => length >= SHORTEST)
          .map((word) => distance(fold(name), fold(word)) / Math.max(name.length, word.length)),
      );
      return least <= 0.45 ? [{ name, least }] : [];
    });
  return [...new Set(rated.sort((a, b) => a.least - b.least).map(({ name }) => name))].slice(0, SHOWN);
}

/** Questions about the table that the reader is sure of. */
export function provenBy(profile: TableProfile): Proof {
  const reader = new Reader({ name: '', context: '', profile }, new Date(0), ownWeights());
  return (question, columns) => {
    const [reading, another] = reader.read(question, null);
    const plan = reading?.plans[0];
    if (another !== undefined || plan === undefined || (reading?.confidence ?? 0) < SURE) return false;
    const text = JSON.stringify(plan);
    return columns.every((name) => text.includes(JSON.stringify(name)));
  };
}

/** Questions that can be answered, those first that share most words with what was asked. */
export function offersFor(question: string, { profile }: TableBriefing): readonly string[] {
  const asked = new Set(fold(question).split(/[^\p{L}\d]+/u));
  const shared = (offer: string): number =>
    fold(offer)
      .split(/[^\p{L}\d]+/u)
      .filter((word) => asked.has(word)).length;
  return suggestQuestions(profile, 12, provenBy(profile))
    .map((offer, place) => ({ offer, place, score: shared(offer) }))
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .slice(0, 3)
    .map(({ offer }) => offer);
}
