import type { Script } from '../statistics/script.js';

const PURPOSE_FIRST =
  /^(?:(?:in order )?to|for|as|since|because|based on|using|with|given|considering|according to)\b[^,?]{3,200},\s*(?=\p{L})/iu;
const PURPOSE_LAST =
  /,?\s+(?:in order to|so that|so as to|because|since|to (?:assess|determine|understand|see|check|find out|evaluate|know|learn|examine|identify|explore|help|gain|investigate))\b.*$/iu;

/** The question as it is, and without its purpose. */
export function candidatesOf(text: string, script: Script): readonly string[] {
  const [first, last] = [PURPOSE_FIRST.exec(text)?.[0] ?? '', PURPOSE_LAST.exec(text)?.[0] ?? ''];
  const head = isPurpose(first, script) ? first.length : 0;
  const tail = isPurpose(last, script) ? last.length : 0;
  const end = text.length - tail;
  return [...new Set([text, text.slice(head), text.slice(0, end), text.slice(head, end)])];
}

/** A purpose may name columns; what chooses rows is none. */
function isPurpose(said: string, script: Script): boolean {
  if (said.length === 0 || /\b(?:only|each|every|per|by)\b/iu.test(said)) return false;
  const isAim = /^\W*(?:in order |so as )?to\b/iu.test(said);
  return script
    .clauseOf(said)
    .pieces.every(({ kind }) => !CHOOSES.has(kind) && (isAim || (kind !== 'column' && kind !== 'ambiguous')));
}

/** Whether a text names values, numbers, times or another condition. */
export function choosesRows(text: string, script: Script): boolean {
  return script.clauseOf(text).pieces.some(({ kind }) => CHOOSES.has(kind));
}

const CHOOSES = new Set([
  'value',
  'number',
  'operator',
  'negation',
  'time',
  'date',
  'quoted',
  'empty',
  'superlative',
  'top',
  'newest',
]);
