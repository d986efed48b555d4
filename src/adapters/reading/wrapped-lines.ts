import { Hyphenation } from './hyphenation.js';

/** Lines that somebody wrapped at a fixed width are about this long. */
const NARROWEST = 40;
const WIDEST = 132;
const LIST_ITEM = /^\s*(?:[-*+•◦▪–—]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])\s+/u;
/** Columns, tables, quotations, code, logs: their lines mean something. */
const MEANT = /^\s*\[?\d{4}-\d\d-|\t|\S {3,}\S|\||^\s*[>{}[\]<]|[{};\\]\s*$|(?:[,;][^\s\d]\S*){3}/u;

/** The lines of a paragraph, those that were only wrapped joined to one. */
export function joinedLines(lines: readonly string[]): string {
  const width = lines.reduce((most, line) => Math.max(most, line.trimEnd().length), 0);
  if (width < NARROWEST || width > WIDEST || !couldBeWrapped(lines)) return lines.join('\n');
  const isWrapped = lines.slice(1).map((line, at) => isWrappedBetween(lines[at] ?? '', line, width));
  return isWrapped.some(Boolean) ? joined(lines, isWrapped) : lines.join('\n');
}

/** The longer of two lines never has room for more, so that only the words can tell. */
function couldBeWrapped(lines: readonly string[]): boolean {
  if (lines.length < 2 || lines.some((line) => MEANT.test(line))) return false;
  return lines.length > 2 || /^\s*\p{Ll}/u.test(lines[1] ?? '');
}

function joined(lines: readonly string[], isWrapped: readonly boolean[]): string {
  const hyphenation = new Hyphenation();
  for (const line of lines) hyphenation.learn(line);
  const trimmed = lines.map((line, at) => (isWrapped[at - 1] === true ? line.trim() : line.trimEnd()));
  return hyphenation.join(trimmed, (at) => isWrapped[at - 1] !== true);
}

/** Whether the next line's first word had no room on this one, and its text goes on where this one's began. */
function isWrappedBetween(line: string, next: string, width: number): boolean {
  if (LIST_ITEM.test(next)) return false;
  const [word = ''] = next.trim().split(/\s/, 1);
  const hasRoom = line.trimEnd().length + 1 + word.length <= width;
  const [from, to] = [textStart(line), textStart(next)];
  return !hasRoom && (LIST_ITEM.test(line) ? Math.abs(to - from) <= 4 : to <= from);
}

/** Where the text of a line begins, after the mark of a list's item. */
function textStart(line: string): number {
  return LIST_ITEM.exec(line)?.[0].length ?? line.length - line.trimStart().length;
}
