import { isOpen, typedSentences } from '../../shared/sentences.js';
import { wordsOf } from '../../shared/words/words.js';

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

export interface PromptReading {
  /** At most 12, in the order of the prompt. */
  readonly questions: readonly PromptQuestion[];
  /** Questions beyond the twelfth. */
  readonly leftOut: readonly string[];
  /** What the answer is to be like, in the prompt's words. */
  readonly instructions: readonly string[];
  /** A general look is asked for: analyse, overview, summary. */
  readonly wantsOverview: boolean;
}

/**
 * Reads a prompt: several sentences, lines or list items become several questions; what says how the answer is to be is told apart
 * from what is asked. Pure.
 */
export function readPrompt(prompt: string): PromptReading {
  const parts = partsOf(prompt.slice(0, MAX_PROMPT)).flatMap(withoutTitle).flatMap(apart).map(read).filter(isNoTitle);
  const questions = parts.filter(({ kind }) => kind === 'question' || kind === 'perhaps');
  const asked = distinct(
    questions.map(({ text, kind }) => ({ text, refersBack: refersBack(text), perhaps: kind === 'perhaps' })),
  );
  return {
    questions: asked.slice(0, MAX_QUESTIONS),
    leftOut: asked.slice(MAX_QUESTIONS).map(({ text }) => text),
    instructions: parts.filter(({ kind }) => kind === 'instruction').map(({ text }) => text),
    wantsOverview: parts.some(({ kind }) => kind === 'overview'),
  };
}

type PartKind = 'question' | 'perhaps' | 'instruction' | 'overview' | 'nothing';

interface ReadPart {
  readonly kind: PartKind;
  readonly text: string;
  readonly heading: number;
}

/** A heading asks something itself where nothing is asked below it. */
function isNoTitle({ heading }: ReadPart, at: number, parts: readonly ReadPart[]): boolean {
  if (heading === 0) return true;
  const below = parts.slice(at + 1);
  const end = below.findIndex((part) => part.heading > 0 && part.heading <= heading);
  return below.slice(0, end === -1 ? below.length : end).every(({ kind }) => kind !== 'question');
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
  return [first, second].map((text) => ({ ...part, text }));
}

function read({ text, scope, heading }: PromptPart): ReadPart {
  const bare = withoutManners(text);
  if (!/[\p{L}\d]/u.test(bare) || LEADING.test(bare.replace(/[.!:]+$/, '')))
    return { kind: 'nothing', text: bare, heading };
  const kind = WANTS_TO_KNOW.test(text) ? 'question' : kindOf(bare);
  const asked = scope === '' || kind === 'instruction' ? bare : `${bare.replace(/[.?!]+$/, '')} ${scope}`;
  return { kind, text: asked, heading };
}

function kindOf(text: string): PartKind {
  const words = text.replace(/[.?!:]+$/, '');
  const speaksOfFigures = FIGURES.test(words);
  if (ALL_OF_THEM.test(words) || isInstruction(words, speaksOfFigures)) return 'instruction';
  if (!speaksOfFigures && OVERVIEW.test(words)) return 'overview';
  return speaksOfFigures || text.endsWith('?') || ASKING.test(words) ? 'question' : 'perhaps';
}

/** `Use tables`, but not `Include the average wind`, nor `Provide an overview`. */
function isInstruction(words: string, speaksOfFigures: boolean): boolean {
  if (!TELLING.test(words)) return false;
  return speaksOfFigures ? FORM.test(words) : !OVERVIEW.test(words) || SAID_BEFORE.test(words);
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
    const key = wordsOf(text).join(' ');
    return !seen.has(key) && seen.add(key);
  });
}

/** A sentence, list item or part of one, and where it came from. */
interface PromptPart {
  readonly text: string;
  /** Words of a line above the list that hold for each of its items: `in Seattle`. */
  readonly scope: string;
  /** 1 for `#`; 0: it is no heading. */
  readonly heading: number;
}

const ITEM = /^\s*(?:[-*•‣▪–—]|\(?\d{1,2}[.)]|\(?[a-hA-H][.)]|#{1,6})\s+(?=\S)/u;
const LEAD_IN = /:\s*$/;
const SCOPE =
  /^(?:for|in|during|within|about|regarding|concerning)\s+(?!(?:the following|these|this|each of)\b).{2,80}$/i;
/** A line that is this long was broken by an editor, not by its writer. */
const WRAPPED = 60;
/** Nobody reads a sentence beyond this; it also bounds what hostile text costs. */
const MAX_SENTENCE = 2000;
const END = 200;
const MAX_PARTS = 300;

const ASKS =
  'how|what|whats|which|when|where|who|why|is|are|was|were|does|did|show|list|compare|give|tell|find|count|plot|calculate';
/** Where one sentence asks two things. */
const BREAK = new RegExp(
  `;\\s+|,?\\s+and\\s+then\\s+|,\\s+then\\s+|,\\s+(?:and|or|but)\\s+(?:also\\s+)?(?=(?:${ASKS})\\b)|\\s+and\\s+(?:also\\s+)?(?=(?:how\\s+(?:many|much)|what|which|when|where|who)\\b)`,
  'gi',
);

/** Cuts a prompt into what stands in it: sentences, list items, and the questions that one sentence asks together. */
function partsOf(prompt: string): readonly PromptPart[] {
  const parts: PromptPart[] = [];
  let scope = '';
  for (const unit of unitsOf(prompt)) {
    if (!unit.isItem) scope = '';
    if (LEAD_IN.test(unit.text)) {
      scope = scopeOf(unit.text);
      if (scope !== '') continue;
    }
    const { isItem, heading } = unit;
    const part = { scope: isItem ? scope : '', heading };
    parts.push(
      ...typedSentences(unit.text)
        .flatMap(brokenUp)
        .map((text) => ({ text, ...part })),
    );
  }
  return parts.filter(({ text }) => /[\p{L}\d]/u.test(text)).slice(0, MAX_PARTS);
}

function scopeOf(lead: string): string {
  const text = lead.replace(LEAD_IN, '').trim();
  return SCOPE.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : '';
}

interface Unit {
  readonly text: string;
  readonly isItem: boolean;
  readonly heading: number;
}

/** List items, and lines that belong together; an empty line ends what was open. */
function unitsOf(prompt: string): readonly Unit[] {
  const units: Unit[] = [];
  for (const line of prompt.split(/\r\n|[\n\r\u2028\u2029]/)) {
    const mark = ITEM.exec(line)?.[0] ?? '';
    const text = line.slice(mark.length).trim();
    const last = units.at(-1);
    const isItem = mark !== '';
    if (last !== undefined && !isItem && text !== '' && goesOn(last.text)) {
      units[units.length - 1] = { ...last, text: `${last.text} ${text}` };
    } else {
      units.push({ text, isItem, heading: mark.trim().lastIndexOf('#') + 1 });
    }
  }
  return units
    .filter(({ text }) => text !== '')
    .map(({ text, ...unit }) => ({ ...unit, text: text.replace(/\s+/g, ' ') }));
}

function goesOn(text: string): boolean {
  if (text === '' || text.length >= MAX_SENTENCE) return false;
  const before = text.slice(-END);
  if (/[.?!:;]["”’)]*\s*$/.test(before)) return false;
  return text.length >= WRAPPED || /(?:,|\b(?:and|or|the|of|in|for|by|per|with|to|a))\s*$/i.test(before);
}

function brokenUp(sentence: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { index, 0: gap } of sentence.matchAll(BREAK)) {
    const before = sentence.slice(from, index);
    const after = sentence.slice(index + gap.length);
    if (isOpen(before) || !isWhole(before) || !isWhole(after)) continue;
    parts.push(before.trim());
    from = index + gap.length;
  }
  return [...parts, sentence.slice(from).trim()];
}

/** Two words at least, and no comparison that is still waiting for its other side. */
function isWhole(text: string): boolean {
  return /\S\s+\S/.test(text.trim()) && !/\b(?:between|compare|both)\s+\S+$/i.test(text.trim());
}

/** Words by which the sentences of a prompt are told apart: what asks, what tells how the answer is to be, what wants a general look. */
const POLITE =
  /^(?:(?:please|kindly|now|then|next|also|first(?:ly)?|second(?:ly)?|third(?:ly)?|finally|lastly|in addition|additionally|furthermore|afterwards|hi|hello|hey|dear (?:assistant|analyst|team)|thanks|thank you)\b[,:]?\s*|(?:can|could|would|will) you (?:please )?|i(?:'d| would)? (?:like|want|need)(?: you)? to (?:know|see|learn|find out|understand)\s*(?:if|whether)?\s*|(?:let me|let us) (?:know|see)\s*|i(?:'d| would)? (?:like|want|need)(?: you)? to\s+)/i;
const ASKING =
  /^(?:how|what|what's|whats|which|when|where|who|whose|why|is|are|was|were|does|do|did|has|have|had|show|list|give|tell|find|calculate|compute|determine|identify|count|sum|plot|chart|draw|graph|compare|rank|get|display|visuali[sz]e)\b/i;
const FIGURES =
  /\b(?:averages?|avg|mean|median|totals?|sum|counts?|number of|how (?:many|much)|minimum|maximum|min|max|highest|lowest|top|bottom|largest|smallest|most (?:common|frequent)|trends?|over time|per|by|each|distribution|share|percentage|standard deviation|outliers?|monthly|daily|weekly|yearly|hourly|hottest|coldest|wettest|busiest)\b/i;
const TELLING =
  /^(?:write|use|using|format|keep|make|answer|respond|reply|include|exclude|avoid|do not|don't|dont|never|always|focus|structure|present|provide|be|limit|start|begin|end|add|put|highlight|explain|translate|send|email|mail|save|create|prepare|produce|draft|ensure|round|mention|describe|interpret|note|remember|consider|assume|pretend|ignore|output|return|deliver|comment|conclude|recommend|suggest)\b/i;
const FORM =
  /\b(?:reports?|summar(?:y|ies)|e-?mails?|texts?|paragraphs?|sentences?|words?|languages?|english|german|french|spanish|italian|style|tone|bullets?|bullet points|tables?|markdown|headings?|sections?|pages?|format|decimals?|short|brief|concise|detailed|answers?|charts?|graphs?|recommendations?|conclusions?|managers?|board|audience|readers?)\b/i;
const OVERVIEW =
  /\b(?:analy[sz]e|analysis|overview|summari[sz]e|summary|explore|insights?|(?:key|main|important|interesting) (?:findings|facts|figures|points|numbers)|what stands out|anything (?:unusual|interesting|noteworthy)|investigate|(?:review|examine|assess|profile|describe|inspect) (?:the |this |my |our |all )?(?:data|dataset|datasource|table|file|numbers|figures)s?|tell me about (?:the |this |my |our )?(?:data|dataset|datasource|table|file)s?|report (?:on|about)|what can you (?:say|tell)|health check)\b/i;
const ALL_OF_THEM =
  /^compare (?:the )?(?:two|three|four|both|them|these|those|all|datasources|datasets|data sources|tables|sources|files|results|figures|findings)(?: of them)?(?: (?:two|three|four|datasources|datasets|data sources|tables|sources|files|results|figures|findings))?(?: (?:with|to|against) (?:each other|one another))?$/i;
const LEADING =
  /^(?:answer|look at|address|cover|work on|consider)?\s*(?:the |these )?(?:following)?\s*(?:questions?|points?|topics?|things?|items?|following)\s*:?$/i;
const BACK_WORDS = /\b(?:it|they|them|that|those|these|its|their)\b/i;
const BACK_START = /^(?:and|or|what about|how about|same|the same|only|instead)\b/i;
