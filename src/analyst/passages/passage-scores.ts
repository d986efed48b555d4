import { distance } from 'fastest-levenshtein';
import { stemsOf, wordsOf } from '../../shared/words/words.js';
import type { AskedWord, DocumentQuestion, Wanted } from './passage-question.js';
import type { Unit } from './passage-units.js';

/** How well a unit answers. */
export interface ScoredUnit {
  readonly unit: Unit;
  /** How much of the question it is about: 1 is every word. */
  readonly share: number;
  /** The share, and how well it fits what kind of thing was asked for: what tells two units apart that are about the same. */
  readonly score: number;
}

/** What a word counts that does not stand in the unit itself. */
const IN_HEADING = 0.7;
const IN_NEIGHBOUR = 0.4;
const IN_FILE_NAME = 0.2;
/** A word that means nearly the same, or was mistyped. */
const NEAR = 0.75;
/** How much of the question must stand in the unit itself, unless its heading says all of it. */
const MIN_OWN = 0.25;
const FITS_KIND = 0.15;

type Stems = ReadonlySet<string>;

interface ReadUnit {
  readonly unit: Unit;
  readonly own: Stems;
  readonly under: Stems;
  readonly file: Stems;
}

/** Scores every unit, best first; those that have too little of what is asked are left out. */
export function scoredUnits(units: readonly Unit[], question: DocumentQuestion): readonly ScoredUnit[] {
  const read = units.map((unit) => readUnit(unit, question));
  const weights = weightsOf(question.asked, read);
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  return read
    .map((one, index) => {
      const neighbours = [read[index - 1], read[index + 1]].filter((other) => other?.unit.number === one.unit.number);
      const share = shareOf(one, neighbours, { question, weights, total });
      return { unit: one.unit, share, score: share + kindBonus(question.wanted, one.unit.text) };
    })
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.score - a.score || a.unit.number - b.unit.number || a.unit.place - b.unit.place);
}

interface Scale {
  readonly question: DocumentQuestion;
  readonly weights: ReadonlyMap<AskedWord, number>;
  readonly total: number;
}

function shareOf(read: ReadUnit, neighbours: readonly (ReadUnit | undefined)[], scale: Scale): number {
  const { question, weights, total } = scale;
  let [own, headed, share] = [0, 0, 0];
  for (const [asked, weight] of weights) {
    const here = matchIn(read.own, asked);
    const under = matchIn(read.under, asked) * IN_HEADING;
    const beside = Math.max(0, ...neighbours.map((other) => (other === undefined ? 0 : matchIn(other.own, asked))));
    own += here * weight;
    headed += Math.max(here, under) * weight;
    share += Math.max(here, under, beside * IN_NEIGHBOUR, matchIn(read.file, asked) * IN_FILE_NAME) * weight;
  }
  if (saysNothingNew(read, question)) return 0;
  const isAbout = own / total >= MIN_OWN || headed / total >= IN_HEADING * 0.99;
  return isAbout ? share / total : 0;
}

/** A heading, or the question itself. */
function saysNothingNew({ own }: ReadUnit, { asked }: DocumentQuestion): boolean {
  const known = new Set(asked.flatMap(({ stems }) => stems));
  return [...own].every((stem) => known.has(stem));
}

/** Rare words tell more: one that stands everywhere tells nothing apart, and one that stands nowhere may be the point of the question. */
function weightsOf(asked: readonly AskedWord[], units: readonly ReadUnit[]): ReadonlyMap<AskedWord, number> {
  return new Map(
    asked.map((word) => {
      const count = units.filter(({ own, under }) => matchIn(own, word) > 0 || matchIn(under, word) > 0).length;
      return [word, Math.log(1 + units.length / (1 + count))];
    }),
  );
}

/** 1 for the word itself, less for one that is near it. */
function matchIn(stems: Stems, { word, stems: wanted, near }: AskedWord): number {
  if (wanted.some((stem) => stems.has(stem))) return 1;
  const isNear = near.some((stem) => stems.has(stem)) || isKin(wanted, stems) || isMistyped(word, wanted, stems);
  return isNear ? NEAR : 0;
}

const MIN_KIN = 5;
const MAX_ENDING = 4;

/** Of one family, though no rule of endings says so: night and nightly, electric and electrified. */
function isKin(wanted: readonly string[], stems: Stems): boolean {
  for (const stem of stems) {
    for (const one of wanted) {
      const [short, long] = stem.length < one.length ? [stem, one] : [one, stem];
      if (short.length >= MIN_KIN && long.length - short.length <= MAX_ENDING && long.startsWith(short)) return true;
    }
  }
  return false;
}

/** One letter from five letters on, two from eight, and never the first: people seldom get that one wrong. */
function isMistyped(word: string, wanted: readonly string[], stems: Stems): boolean {
  if (word.length < 5 || /\d/.test(word)) return false;
  const allowed = word.length >= 8 ? 2 : 1;
  const initial = word.charAt(0);
  for (const stem of stems) {
    if (!stem.startsWith(initial) || /\d/.test(stem)) continue;
    if (wanted.some((one) => one.length > 4 && isOff(stem, one, allowed))) return true;
  }
  return false;
}

function isOff(stem: string, other: string, allowed: number): boolean {
  return Math.abs(stem.length - other.length) <= allowed && distance(stem, other) <= allowed;
}

function readUnit(unit: Unit, { languages }: DocumentQuestion): ReadUnit {
  const stems = (text: string): Stems => new Set(wordsOf(text).flatMap((word) => stemsOf(word, languages)));
  return {
    unit,
    own: stems(unit.text),
    under: stems(unit.under.join('\n')),
    file: stems(unit.source.filename.replaceAll(/[_.-]/g, ' ')),
  };
}

const NUMBER_WORD =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|once|twice|half|daily|weekly|monthly|quarterly|yearly|annually|hourly|noon|midnight|january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|zwei|drei|täglich|monatlich|jährlich)\b/iu;
const SHOWS: Readonly<Record<Wanted, RegExp | null>> = {
  number: NUMBER_WORD,
  person: /(?<=\S\s+)\p{Lu}\p{Ll}+|@|\b(?:team|department|manager|officer|director|staff|engineer|board|committee)\b/u,
  place: /\b(?:in|at|on|behind|under|next to|near|above|below|room|building|hall|floor|street|im|am)\b/iu,
  reason: /\b(?:because|since|due to|so that|in order to|therefore|to avoid|to prevent|weil|damit)\b/iu,
  definition: /\b(?:is|are|means|refers to|stands for|denotes|describes|ist|bedeutet)\b|:/iu,
  anything: null,
};

function kindBonus(wanted: Wanted, text: string): number {
  const form = SHOWS[wanted];
  if (form === null) return 0;
  if (form.test(text)) return FITS_KIND;
  return wanted === 'number' ? -FITS_KIND : 0;
}
