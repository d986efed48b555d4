import type { Piece } from './pieces.js';
import { plain, wordsOf } from './text.js';

/** Nobody asks a longer question. One that is longer is not read at all: half a question is another question. */
export const MAX_QUESTION = 2000;
export const MAX_TOKENS = 150;

const NUMBER = String.raw`\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?`;
const TOKEN = new RegExp(
  [
    String.raw`(?<quoted>"[^"]{1,200}"|“[^”]{1,200}”|(?<![\p{L}\d])'[^']{1,200}'(?![\p{L}\d]))`,
    String.raw`(?<date>(?<![\d-])\d{4}-\d{2}(?:-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?Z?)?)?(?![\d-]))`,
    String.raw`(?<years>(?<!\d)\d{4}\s?[-–]\s?\d{4}(?!\d))`,
    String.raw`(?<number>(?<![^\s(=<>])-?(?:${NUMBER})|${NUMBER})`,
    String.raw`(?<word>\p{L}[\p{L}\p{M}'’]*)`,
    String.raw`(?<sign>(?<=\s)[-−–+/](?=\s)|[*×·÷()])`,
    String.raw`(?<symbol><=|>=|!=|<>|[<>=,%$€£°&])`,
  ].join('|'),
  'gu',
);

/** Signs that say what a word would. */
const SIGNS: ReadonlyMap<string, string> = new Map([
  ['°', 'degrees'],
  ['%', 'percent'],
  ['<>', '!='],
]);

/** Keys of the signs of arithmetic, however they are written. */
const FORMULA_SIGNS = new Set(['-', '+', '*', '/', '(', ')']);
const SIGN_KEYS: ReadonlyMap<string, string> = new Map([
  ['−', '-'],
  ['–', '-'],
  ['×', '*'],
  ['·', '*'],
  ['÷', '/'],
]);

/** From two on: `one` is too often no number. */
const NUMBER_WORDS = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];

/** Cuts a question into words, numbers, dates and quoted texts; any other punctuation separates and is gone. */
export function tokenize(question: string): readonly Piece[] {
  return tokenizeFormulas(question).filter((piece) => !isSign(piece));
}

/** Keeps brackets and the signs of arithmetic as words of their own, too, for who can tell a minus from a dash. */
export function tokenizeFormulas(question: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of question.slice(0, MAX_QUESTION).matchAll(TOKEN)) {
    if (pieces.length > MAX_TOKENS) break;
    pieces.push(...piecesOf(match, match.index === end && end > 0));
    // A sign stands between words as a space does.
    end = match.groups?.['sign'] === undefined ? match.index + match[0].length : -1;
  }
  return pieces;
}

/** Whether a piece is a sign of arithmetic or a bracket. */
export function isSign(piece: Piece | undefined): boolean {
  return piece?.kind === 'word' && FORMULA_SIGNS.has(piece.key);
}

function piecesOf(match: RegExpExecArray, glued: boolean): readonly Piece[] {
  const text = match[0];
  const groups = match.groups ?? {};
  if (groups['quoted'] !== undefined) return [{ kind: 'quoted', text: text.slice(1, -1).trim() }];
  if (groups['date'] !== undefined) return [{ kind: 'date', key: text, text }];
  if (groups['years'] !== undefined) return yearsApart(text);
  if (groups['number'] !== undefined) return [numberPiece(text, glued)];
  return [groups['sign'] === undefined ? plainPiece(text, glued) : signPiece(text)];
}

function plainPiece(text: string, glued: boolean): Piece {
  return text === ',' ? { kind: 'join', or: false, text } : wordPiece(text, glued);
}

function signPiece(text: string): Piece {
  return { kind: 'word', key: SIGN_KEYS.get(text) ?? text, glued: false, text };
}

function wordPiece(text: string, glued: boolean): Piece {
  const key = SIGNS.get(text) ?? plain(text);
  const counted = NUMBER_WORDS.indexOf(key);
  if (counted < 0) return { kind: 'word', key, glued, text };
  return { kind: 'number', key, glued: false, value: counted + 2, unit: null, text };
}

function yearsApart(text: string): readonly Piece[] {
  const [from = '', to = ''] = text.split(/\s?[-–]\s?/);
  return [numberPiece(from, false), { kind: 'word', key: 'to', glued: false, text: 'to' }, numberPiece(to, false)];
}

function numberPiece(text: string, glued: boolean): Piece {
  const written = text.replaceAll(',', '');
  return { kind: 'number', key: wordsOf(written).join(' '), glued, value: Number(written), unit: null, text };
}
