import { partsOf, type PromptPart } from './prompt-sentences.js';
import {
  ALL_OF_THEM,
  ASKING,
  BACK_START,
  BACK_WORDS,
  BREVITY,
  COMPARISON,
  FIGURES,
  FORM,
  LEADING,
  OVERVIEW,
  POLITE,
  TELLING,
} from './prompt-words.js';

export const MAX_QUESTIONS = 12;
const MAX_PROMPT = 20_000;
const SHORT = 8;
/** A form to write what is found in, not a wish to look around. */
const SAID_BEFORE = /\b(?:short|brief|in one|in a|at the (?:end|top|beginning)|executive)\b/i;
const WANTS_TO_KNOW = /\b(?:know|learn|find out|tell me) (?:if|whether)\b/i;

export interface PromptQuestion {
  readonly text: string;
  /** It leans on the question before: `And in New York?` */
  readonly refersBack: boolean;
  /** Not certainly a question: background perhaps. Nobody misses its answer. */
  readonly perhaps: boolean;
}

/** What a prompt asks for. */
export interface PromptReading {
  /** At most 12, in the order of the prompt. */
  readonly questions: readonly PromptQuestion[];
  /** Questions beyond the twelfth. */
  readonly leftOut: readonly string[];
  /** What the answer is to be like, in the prompt's words. */
  readonly instructions: readonly string[];
  /** A general look is asked for: analyse, overview, summary. */
  readonly wantsOverview: boolean;
  /** Datasources are to be held against each other. */
  readonly wantsComparison: boolean;
  /** Only the essential. */
  readonly wantsBrevity: boolean;
}

/**
 * Reads a prompt: several sentences, lines or list items become several questions; what says how the answer is to be is told apart
 * from what is asked. Pure.
 */
export function readPrompt(prompt: string): PromptReading {
  const parts = partsOf(prompt.slice(0, MAX_PROMPT)).flatMap(withoutTitle).flatMap(apart).map(read);
  const questions = parts.filter(({ kind }) => kind === 'question' || kind === 'perhaps');
  const asked = distinct(
    questions.map(({ text, kind }) => ({ text, refersBack: refersBack(text), perhaps: kind === 'perhaps' })),
  );
  const said = prompt.slice(0, MAX_PROMPT);
  return {
    questions: asked.slice(0, MAX_QUESTIONS),
    leftOut: asked.slice(MAX_QUESTIONS).map(({ text }) => text),
    instructions: parts.filter(({ kind }) => kind === 'instruction').map(({ text }) => text),
    wantsOverview: parts.some(({ kind }) => kind === 'overview'),
    wantsComparison: COMPARISON.test(said),
    wantsBrevity: BREVITY.test(said),
  };
}

type PartKind = 'question' | 'perhaps' | 'instruction' | 'overview' | 'nothing';

interface ReadPart {
  readonly kind: PartKind;
  readonly text: string;
}

/** `Weekly report: total units by product, best week for revenue`: what stands after a title is a list. */
function withoutTitle(part: PromptPart): readonly PromptPart[] {
  const [, title = '', rest = ''] = /^([^:]{1,80}):\s+(.+)$/.exec(part.text) ?? [];
  const items = rest.split(/\s*,\s+(?:and\s+)?/);
  const isList = (FORM.test(title) || OVERVIEW.test(title)) && items.every((item) => /\S\s+\S/.test(item));
  return isList && FIGURES.test(rest) ? items.map((text) => ({ ...part, text })) : [part];
}

/** `An overview of the data and the average wind`: a general look and a question. */
function apart(part: PromptPart): readonly PromptPart[] {
  const [first = '', ...rest] = part.text.split(/\s+and\s+/i);
  const second = rest.join(' and ');
  if (second === '' || !OVERVIEW.test(first) || FIGURES.test(first) || !FIGURES.test(second)) return [part];
  return [
    { ...part, text: first },
    { ...part, text: second },
  ];
}

function read({ text, scope }: PromptPart): ReadPart {
  const bare = withoutManners(text);
  if (!/[\p{L}\d]/u.test(bare) || LEADING.test(bare.replace(/[.!:]+$/, ''))) return { kind: 'nothing', text: bare };
  const kind = WANTS_TO_KNOW.test(text) ? 'question' : kindOf(bare);
  return { kind, text: scope === '' || kind === 'instruction' ? bare : `${bare.replace(/[.?!]+$/, '')} ${scope}` };
}

function kindOf(text: string): PartKind {
  const words = text.replace(/[.?!:]+$/, '');
  const speaksOfFigures = FIGURES.test(words);
  if (ALL_OF_THEM.test(words) || isInstruction(words, speaksOfFigures)) return 'instruction';
  if (!speaksOfFigures && OVERVIEW.test(words)) return 'overview';
  return speaksOfFigures || isAsking(text, words) ? 'question' : 'perhaps';
}

/** `Use tables`, but not `Include the average wind`, nor `Provide an overview`. */
function isInstruction(words: string, speaksOfFigures: boolean): boolean {
  if (!TELLING.test(words)) return false;
  return speaksOfFigures ? FORM.test(words) : !OVERVIEW.test(words) || SAID_BEFORE.test(words);
}

function isAsking(text: string, words: string): boolean {
  return text.endsWith('?') || ASKING.test(words);
}

/** `Could you please tell me` and the like; `and` stays where the sentence is too short to do without. */
function withoutManners(text: string): string {
  let bare = text.trim();
  for (let before = ''; before !== bare;) {
    before = bare;
    bare = bare.replace(POLITE, '').trim();
    if (wordsIn(bare) > SHORT) bare = bare.replace(/^(?:and|but|so)\s+/i, '');
  }
  return bare === '' ? '' : bare.charAt(0).toUpperCase() + bare.slice(1);
}

function refersBack(text: string): boolean {
  return BACK_START.test(text) || (BACK_WORDS.test(text) && wordsIn(text) <= 2 * SHORT);
}

function wordsIn(text: string): number {
  return text.split(/\s+/).length;
}

/** A question that is asked twice is answered once. */
function distinct(questions: readonly PromptQuestion[]): readonly PromptQuestion[] {
  const seen = new Set<string>();
  return questions.filter(({ text }) => {
    const key = text
      .toLowerCase()
      .replace(/[^\p{L}\d]+/gu, ' ')
      .trim();
    return !seen.has(key) && seen.add(key);
  });
}
