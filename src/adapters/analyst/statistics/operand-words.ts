import type { Piece } from '../pieces.js';
import { plain } from '../text.js';
import type { Clause } from './clause.js';
import { isRestrictive } from './prose-words.js';

const COMPARATIVE =
  /^(?:more|less|better|worse|fewer|best|most|closest|(?:bigg|high|low|long|short|old|young|larg|small|great|heavi|light|tall|wid|fast|slow|strong|weak|cheap|dear|rich|poor|warm|cold|hott|deep|clos|earli|lat|hard|easi|thick|thinn)er)$/u;
/** `give r and p`. */
const SYMBOL = /^[tfrpuwhz]$/u;
const SAME = /^(?:same|equal|identical|similar|alike|statistically)$/u;
const AUXILIARY = /^(?:do|does|did|is|are|was|were|has|have|had|can|will|would|should)$/u;
const PARTICIPLE = /(?:ed|ing)$/u;
const SAYS_HOW = /^how$/u;

/**
 * Whether an unknown word only says how the columns of a statistic go together (`are a and b coupled`, `does a rise with b`): it stands
 * neither where rows are chosen (after a preposition, before what rows are called, behind a value) nor where their name stands.
 */
export function saysHowRelated(pieces: readonly Piece[], at: number, clause: Clause): boolean {
  const word = pieces[at];
  if (word?.kind !== 'word') return false;
  if (asksHow(pieces, at) || isOnce(word, clause)) return true;
  return (
    clause.has('relation', 'test', 'regression') && (saysLink(pieces, at, word.key) || !mayChoose(pieces, at, clause))
  );
}

function saysLink(pieces: readonly Piece[], at: number, word: string): boolean {
  return linksColumns(pieces, at) || SYMBOL.test(word) || SAME.test(word);
}

function mayChoose(pieces: readonly Piece[], at: number, clause: Clause): boolean {
  const word = pieces[at];
  return word === undefined || isName(word, at) || isSubject(pieces, at) || choosesRows(pieces, at, clause);
}

/** `whether failure is associated with …`: what is set against something else must be known. */
function isSubject(pieces: readonly Piece[], at: number): boolean {
  return (
    /^(?:whether|if|does|do|did|is|are)$/u.test(saidBefore(pieces, at)) &&
    AUXILIARY.test(plain(pieces[at + 1]?.text ?? ''))
  );
}

/** `once outliers are excluded`. */
function isOnce({ text }: Piece, clause: Clause): boolean {
  return /^once$/iu.test(text) && clause.has('removing', 'fill', 'scale');
}

/** `how high`, `how tightly`. */
function asksHow(pieces: readonly Piece[], at: number): boolean {
  return SAYS_HOW.test(plain(pieces[at - 1]?.text ?? ''));
}

/** `a against b`, `a x b`. */
function linksColumns(pieces: readonly Piece[], at: number): boolean {
  return isOperand(pieces[at - 1]) && isOperand(pieces.slice(at + 1).find(({ kind }) => kind !== 'filler'));
}

function isOperand(piece: Piece | undefined): boolean {
  return piece?.kind === 'column';
}

/** Written with a capital within a sentence. */
function isName({ text }: Piece, at: number): boolean {
  return at > 0 && /^\p{Lu}\p{Ll}/u.test(text);
}

function choosesRows(pieces: readonly Piece[], at: number, clause: Clause): boolean {
  const word = plain(pieces[at]?.text ?? '');
  const before = pieces[at - 1];
  if (COMPARATIVE.test(word)) return isThan(pieces, at) || isRestrictive(saidBefore(pieces, at));
  if (before === undefined || isRestrictive(word)) return true;
  return isAttribute(pieces[at + 1]) || follows(before, word, pieces, at, clause);
}

function saidBefore(pieces: readonly Piece[], at: number): string {
  return plain(pieces[at - 1]?.text ?? '');
}

function isThan(pieces: readonly Piece[], at: number): boolean {
  return pieces.slice(at + 1).some(({ text }) => /\bthan\b/iu.test(text));
}

/** What stands right before rows or values says which of them. */
function isAttribute(next: Piece | undefined): boolean {
  return next?.kind === 'rows' || next?.kind === 'value' || next?.kind === 'column';
}

function follows(before: Piece, word: string, pieces: readonly Piece[], at: number, clause: Clause): boolean {
  const said = plain(before.text);
  if (isRestrictive(said) || AUXILIARY.test(said)) return true;
  if (isArticle(said)) return choosesBefore(pieces, at - 1);
  if (before.kind === 'rows' || before.kind === 'value') return PARTICIPLE.test(word);
  return before.kind === 'word' && !saysHowRelated(pieces, at - 1, clause);
}

function isArticle(said: string): boolean {
  return /^(?:the|an?|all|these|those|its|their)$/u.test(said);
}

/** `in the winter`. */
function choosesBefore(pieces: readonly Piece[], at: number): boolean {
  const before = plain(pieces[at - 1]?.text ?? '');
  return isRestrictive(before) || AUXILIARY.test(before);
}
