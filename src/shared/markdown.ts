const MAX_CELL = 80;
const MAX_QUOTED = 8;

/** Text of the data inside Markdown: nothing in it is a mark, a link, a tag or a new line. */
export function inline(text: string, longest = MAX_CELL): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  const letters = Array.from(line);
  const cut = letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : line;
  return cut.replace(/[\\`*[\]<>|~]/g, String.raw`\$&`).replace(/(?<![\p{L}\d])_|_(?![\p{L}\d])/gu, String.raw`\_`);
}

/** A table of cells that are Markdown already. */
export function tableOf(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly boolean[],
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

/** `“a”, “b” and “c”`. */
export function quotedList(words: readonly string[]): string {
  const quoted = words.slice(0, MAX_QUOTED).map((word) => `“${inline(word)}”`);
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1) ?? ''}`;
}
