import type { DocumentBlock } from '../../ports/document-reader.js';
import { Outline } from './outline.js';
import { joinedLines } from './wrapped-lines.js';

const LINE_BREAK = /\r\n|[\r\n\f\u0085\u2028\u2029]/;
const FENCE = /^\s{0,3}```/;
const MARKED = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;
const UNDERLINE = /^(?:={3,}|-{3,})\s*$/;
const LONGEST_TITLE = 150;

type Title = Readonly<{ kind: 'title'; level: number; text: string }>;
/** What a line is. The ruler below a title says no more. */
type Line = Title | Readonly<{ kind: 'words'; text: string }> | Readonly<{ kind: 'blank' | 'ruler' }>;

/** Paragraphs of a text; what Markdown calls a heading goes with the paragraphs below it. */
export function* textBlocks(text: string): Generator<DocumentBlock> {
  const outline = new Outline();
  let paragraph: string[] = [];
  for (const line of readLines(text.split(LINE_BREAK))) {
    if (line.kind === 'words') {
      paragraph.push(line.text);
      continue;
    }
    if (paragraph.length > 0) yield outline.block(joinedLines(paragraph));
    paragraph = [];
    if (line.kind === 'title') yield* outline.enter(line.level, line.text);
  }
  if (paragraph.length > 0) yield outline.block(joinedLines(paragraph));
  yield* outline.leave();
}

/** What a fence encloses stays together, blank lines and all. */
function* readLines(lines: readonly string[]): Generator<Line> {
  const hasFences = lines.filter((line) => FENCE.test(line)).length % 2 === 0;
  let isFenced = false;
  for (const [at, text] of lines.entries()) {
    if (hasFences && FENCE.test(text)) isFenced = !isFenced;
    yield isFenced ? { kind: 'words', text } : lineAt(lines, at, text);
  }
}

function lineAt(lines: readonly string[], at: number, text: string): Line {
  if (isBlank(text)) return { kind: 'blank' };
  if (isUnderlined(lines, at - 1)) return { kind: 'ruler' };
  return titleAt(lines, at, text) ?? { kind: 'words', text };
}

function titleAt(lines: readonly string[], at: number, text: string): Title | null {
  if (text.length > LONGEST_TITLE) return null;
  if (!isUnderlined(lines, at)) return markedTitle(text, [lines[at - 1] ?? '', lines[at + 1] ?? '']);
  return { kind: 'title', level: lines[at + 1]?.startsWith('=') === true ? 1 : 2, text };
}

/** `## Prices`; but several such lines below each other are comments of a program. */
function markedTitle(line: string, neighbours: readonly string[]): Title | null {
  const [, marks = '', text = ''] = MARKED.exec(line) ?? [];
  if (marks === '' || neighbours.some((other) => MARKED.exec(other)?.[1] === marks)) return null;
  return { kind: 'title', level: marks.length, text: text.replace(/[ \t]+#+[ \t]*$/, '') };
}

/** A single line with a ruler of its length below it. */
function isUnderlined(lines: readonly string[], at: number): boolean {
  const [before = '', line = '', after = ''] = [lines[at - 1], lines[at], lines[at + 1]];
  if (!isBlank(before) || isBlank(line) || !UNDERLINE.test(after)) return false;
  return line.length <= LONGEST_TITLE && after.trimEnd().length >= line.trim().length - 2;
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}
