import { distance } from 'fastest-levenshtein';
import { isFunctionWord, languageOf, type Language } from '../../shared/words/languages.js';
import { stemsOf, wordsOf } from '../../shared/words/words.js';

/** What an answer to the question has to have. */
export type Wanted = 'number' | 'person' | 'place' | 'reason' | 'definition' | 'anything';

export interface AskedWord {
  readonly word: string;
  readonly stems: readonly string[];
  /** Stems of words that mean nearly the same. */
  readonly near: readonly string[];
}

/** A question about documents: the words that tell what it is about, and what kind of thing it asks for. */
export interface DocumentQuestion {
  readonly asked: readonly AskedWord[];
  readonly wanted: Wanted;
  readonly languages: readonly Language[];
}

/** Words that people put around what they want to know; documents are seldom about these. */
const SCAFFOLD: ReadonlySet<string> = new Set(
  [
    'tell show give find look list explain describe define definition defined mean means meaning say says said state states stated',
    'mention mentions mentioned according according file files document documents text texts context information info answer',
    'question number many much often long please kindly know want need let see get got happen happens happened there anything something',
    'someone anybody somebody anyone everything exactly actually currently ever also still just only really hi hello hey thanks thank',
    'could would should might may must shall will can do does did is are was were be been have has had',
    'sagt steht datei dateien dokument dokumente lange viel viele oft bitte',
  ]
    .join(' ')
    .split(' '),
);

/** Known also when they are mistyped. */
const ASKING = ['where', 'which', 'when', 'what', 'whats', 'does', 'should', 'about'];

/** Each line: words that a question and a document may use for one thing. */
const ALIKE: readonly (readonly string[])[] = [
  'cost costs price prices fee fees charge charges',
  'phone telephone hotline call',
  'holiday holidays vacation leave',
  'employee employees staff worker workers personnel colleague colleagues',
  'begin begins start starts commence commences',
  'end ends expire expires terminate terminates finish',
  'buy purchase order acquire',
  'boss manager supervisor head lead',
  'car vehicle',
  'fix repair mend',
  'broken defective faulty defect fault',
  'guarantee warranty',
  'mail email',
  'allow allows allowed permit permits permitted may',
  'forbid forbids forbidden prohibited prohibit banned',
  'send submit deliver ship',
  'delete remove erase',
  'pay pays paid payment payable',
  'salary wage wages pay',
  'located location situated stands kept stored',
  'responsible charge owner owns',
  'maximum max most limit up',
  'minimum min least',
  'serviced service maintained maintenance inspected inspection',
  'frequency every interval',
  'founded established founding',
  'company firm business',
  'customer client',
  'illness ill sick sickness',
  'notice period term deadline',
  'return returns refund',
  'heavy weight weigh weighs',
  'high height tall',
  'long length duration',
  'wide width',
  'deep depth',
  'large big size capacity',
  'fast speed',
  'hot warm cold temperature',
  'far distance away',
].map((line) => line.split(' '));

const WANTED: readonly (readonly [RegExp, Wanted])[] = [
  [
    /^(?:what|who)(?:['’]s| is| are| does\b.*\bmean| exactly is)|\b(?:define|definition of|meaning of|was ist|was bedeutet)\b/iu,
    'definition',
  ],
  [
    /\bhow (?:many|much|long|often|old|far|high|large|big|heavy|fast|soon|late|early|frequently|tall|deep|wide)\b|\b(?:when|what time|what date|which year|what year|number|percentage|price|cost|amount|limit|maximum|minimum|phone|deadline|wann|wie (?:viel|viele|lange|oft|hoch))\b/iu,
    'number',
  ],
  [/\b(?:who|whom|whose|wer|wem)\b/iu, 'person'],
  [/\b(?:where|wo|wohin)\b/iu, 'place'],
  [/\b(?:why|what for|reason|warum|weshalb)\b/iu, 'reason'],
];

const MAX_WORDS = 40;

/** Reads a question about documents; `languages` are those of the documents. */
export function documentQuestion(text: string, documents: readonly string[]): DocumentQuestion {
  const words = [...new Set(wordsOf(text))];
  const languages = [...new Set([languageOf(words), languageOf(documents), 'english' as const])];
  const telling = words.filter((word) => !isFunctionWord(word, languages) && !isScaffold(word)).slice(0, MAX_WORDS);
  return {
    asked: telling.map((word) => ({
      word,
      stems: stemsOf(word, languages),
      near: nearWords(word).flatMap((near) => stemsOf(near, languages)),
    })),
    wanted: wantedBy(text),
    languages,
  };
}

function isScaffold(word: string): boolean {
  return (
    SCAFFOLD.has(word) || ASKING.some((asking) => word.startsWith(asking.charAt(0)) && distance(asking, word) <= 1)
  );
}

function wantedBy(text: string): Wanted {
  const kinds = WANTED.filter(([form]) => form.test(text.trim())).map(([, kind]) => kind);
  // “What is the price” asks for a number before it asks for a definition.
  return kinds.find((kind) => kind !== 'definition') ?? kinds[0] ?? 'anything';
}

function nearWords(word: string): readonly string[] {
  return ALIKE.filter((group) => group.includes(word)).flatMap((group) => group.filter((other) => other !== word));
}
