import type { Understanding } from './understanding.js';

/** Signs of arithmetic are named as they were written, not by the words that stood for them. */
export function withSigns(read: Understanding & { kind: 'unclear' }, message: string): Understanding {
  const typed = (text: string): string =>
    text.replace(SIGN_WORDS, (word) => (message.toLowerCase().includes(word) ? word : (SIGNS_OF[word] ?? word)));
  return { ...read, reasons: read.reasons.map(typed), unread: read.unread.map(typed) };
}

const SIGN_WORDS = /\b(?:openbracket|closebracket|plus|minus|times|divided by)\b/gu;
const SIGNS_OF: Readonly<Record<string, string>> = {
  openbracket: '(',
  closebracket: ')',
  plus: '+',
  minus: '-',
  times: '*',
  'divided by': '/',
};

/** As much of a text as fits into a sentence about it. */
export function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79).trim()}…` : text;
}
