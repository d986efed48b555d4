import { joined } from './number-words.js';

const MAX_CELL = 80;
const MAX_QUOTED = 8;

/** Text of the data inside Markdown that is cleaned before it goes out: nothing in it is a mark, a link, a tag or a new line. */
export function inline(text: string, longest = MAX_CELL): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  const letters = Array.from(line);
  const cut = letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : line;
  return cut.replace(/[\\`*[\]<>|~]/g, String.raw`\$&`).replace(/(?<![\p{L}\d])_|_(?![\p{L}\d])/gu, String.raw`\_`);
}

/** Text of unknown origin inside Markdown that goes out as it is: addresses, entities and starts of lines say nothing either. */
export function inert(text: string, longest = MAX_CELL): string {
  const bare = text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replace(/[a-z][a-z0-9+.-]{0,20}:\/\//giu, '')
    .replace(/\bwww\./giu, '');
  return inline(bare, longest)
    .replace(/[!&]/g, String.raw`\$&`)
    .replace(/^(#{1,6}(?=\s|$)|[-+](?=\s))/u, String.raw`\$&`)
    .replace(/^\d+(?=[.)]\s)/u, '$&\u200B');
}

/** A table of cells that are Markdown already; `right` says which columns hold figures. */
export function tableOf(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly boolean[] = [],
): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = line(head.map((_, index) => (right[index] === true ? '---:' : '---')));
  return [line(head), rule, ...rows.map(line)].join('\n');
}

export function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

export function numberedList(lines: readonly string[]): string {
  return lines.map((line, index) => `${index + 1}. ${line}`).join('\n');
}

/** Parts of a text with an empty line between them; what is empty is left out. */
export function paragraphs(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

/** `“a”, “b” and “c”`. */
export function quotedList(words: readonly string[]): string {
  return joined(words.slice(0, MAX_QUOTED).map((word) => `“${inline(word)}”`));
}
