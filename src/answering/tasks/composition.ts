import { isNumeric, type TableProfile } from '../../ports/table.js';
import { instantWords } from '../../plan/time-words.js';
import { bullets, inert, paragraphs, tableOf } from '../../shared/markdown.js';
import { capital, counted, joined, numberWords } from '../../shared/number-words.js';
import { changeCell, changeHead, changesSince, sinceLastRun } from './changes.js';
import { figuresIn, keptFigures } from './figures.js';
import {
  byQuestion,
  headlineOf,
  isAnswered,
  unansweredIn,
  type AskedFindings,
  type Finding,
  type FoundFigure,
  type Material,
  type Picture,
} from './findings.js';
import { FIGURES, SIZE } from './general-look.js';
import { inTurns } from './investigation.js';
import type { TaskSubject } from './task-assignment.js';
import { cellWords } from './task-steps.js';

const IMAGES = '/api/v1/secure/assistant/visualizations/';
const MAX_HEADING = 160;
const MAX_PROMPT = 1500;
const MAX_SUMMARY = 8;
const MAX_KEY_FIGURES = 16;
const MAX_COLUMNS = 20;
const MAX_QUERIES = 60;
/** Names and questions that a note lists. */
const MAX_NAMED = 5;
const MAX_REASONS = 3;

/** The answer to a prompt: what changed, the direct answer, then each question with its chart, its figures and what they rest on. */
export function solveText(material: Material, written: string | null = null): string {
  const { assignment, findings, comparison, quality } = material;
  const several = assignment.subjects.length > 1;
  const further = findings.filter(({ origin }) => origin === 'follow-up');
  const checks = quality.map(({ subject, sentences }) =>
    section(several ? heading(3, subject.name) : '', [bullets(sentences)]),
  );
  return paragraphs([
    changeWords(material),
    written ?? answersText(material),
    ...(written === null ? [] : [section('## Comparison', [comparison])]),
    ...(written === null ? [findingSections('## Looking further', further, several)] : []),
    section('## Checked', checks),
    ...closingSections(material),
  ]);
}

/** A report that can be read as it is: what was asked, key figures, findings with charts, the quality of the data, the method. */
export function reportText(material: Material, summary: string | null = null): string {
  const { subjects, prompt } = material.assignment;
  const chapters =
    subjects.length > 1
      ? subjects.map((subject) => section(heading(2, subject.name), [chapter(material, subject, 3)]))
      : subjects.map((subject) => chapter(material, subject, 2));
  return paragraphs([
    heading(1, `Report on ${nameList(subjects)}`),
    `*${instantWords(material.startedAt)}*`,
    changeWords(material),
    section('## What was asked', [quote(prompt)]),
    section('## Summary', [summary ?? summaryOf(material)]),
    section('## Comparison', [material.comparison]),
    ...chapters,
    ...closingSections(material, section('## Method', [methodText(material)])),
  ]);
}

/** A heading in words of unknown origin. */
export function heading(level: number, text: string): string {
  return `${'#'.repeat(level)} ${inert(text.replace(/[.:]+$/, ''), MAX_HEADING)}`;
}

/** A chart of our own; no other image may stand in an answer. */
export function imageOf({ title, filename }: Picture): string {
  return `![${inert(title, 120)}](${IMAGES}${filename})`;
}

/** A section; empty when there is nothing in it. */
function section(title: string, parts: readonly string[]): string {
  const body = paragraphs(parts);
  return body === '' ? '' : paragraphs([title, body]);
}

function changeWords({ assignment: { previous, subjects }, figures }: Material): string {
  return sinceLastRun(previous, keptFigures(figures, subjects));
}

function closingSections(material: Material, method = ''): readonly string[] {
  return [
    section('## What could not be answered', unansweredText(material)),
    method,
    section('## Context files used', [bullets(sourceLines(material))]),
    section('## Notes', [bullets(notesOf(material))]),
  ];
}

/** The answers to questions of the prompt: a single one as it is, of several a line each and a section for what says more. */
function answersText(material: Material): string {
  const { findings, assignment, reading, comparison } = material;
  const answered = byQuestion(findings).filter((one) => one.answered.length > 0);
  const overview = findings.filter(({ origin }) => origin === 'overview');
  const [only, ...others] = answered;
  if (only === undefined && overview.length === 0) return nothingText(material);
  if (only?.answered.length === 1 && others.length === 0 && overview.length === 0) {
    return only.answered.map((finding) => findingBody(finding, 1)).join('');
  }
  const several = assignment.subjects.length > 1;
  const longer = reading.wantsBrevity ? [] : answered.filter((asked) => asked.answered.some(saysMore));
  const shorter = answered.filter((asked) => !longer.includes(asked));
  return paragraphs([
    shortAnswers(answered, several),
    basisOfShort(shorter, several),
    section('## Comparison', [comparison]),
    ...longer.map(({ asked, answered: own }) =>
      several
        ? section(
            heading(2, asked),
            own.map((one) => section(heading(3, one.subject.name), [findingBody(one, 3)])),
          )
        : section(
            heading(2, asked),
            own.map((one) => findingBody(one, 2)),
          ),
    ),
    ...assignment.subjects.map((subject) =>
      findingSections(
        several ? heading(2, `Overview of ${subject.name}`) : '## Overview',
        overview.filter((finding) => finding.subject === subject),
      ),
    ),
  ]);
}

/** There is more to it than the line that stands at the top. */
function saysMore({ text, picture }: Finding): boolean {
  return picture !== null || text.includes('\n\n');
}

function nothingText(material: Material): string {
  const names = material.assignment.subjects.slice(0, MAX_NAMED).map(({ name }) => inert(name));
  const what = unansweredIn(material).questions.length > 1 ? 'any of this' : 'this';
  return `I could not answer ${what} from ${names.join(', ')}. No figure is given, because none would rest on the data.`;
}

/** `- **How many rows are there?** There are 2,922 rows.` */
function shortAnswers(asked: readonly AskedFindings[], several: boolean): string {
  return bullets(
    asked.map(({ asked: question, answered }) => {
      const words = answered.map((finding) => named(finding, several, headlineOf(finding)));
      return `**${inert(question.replace(/[.:]+$/, ''), MAX_HEADING)}** ${words.join(' ')}`;
    }),
  );
}

/** What the answers rest on that have no section of their own. */
function basisOfShort(asked: readonly AskedFindings[], several: boolean): string {
  const bases = asked.flatMap(({ answered }) =>
    answered.flatMap((finding) => (finding.basis === '' ? [] : [named(finding, several, finding.basis)])),
  );
  return [...new Set(bases)].map((basis) => `*${basis}*`).join('\n\n');
}

function named({ subject }: Finding, several: boolean, words: string): string {
  return several ? `${inert(subject.name)}: ${words}` : words;
}

function findingSections(title: string, findings: readonly Finding[], several = false): string {
  return section(
    title,
    findings.map((finding) =>
      section(heading(3, several ? `${finding.subject.name}: ${finding.question}` : finding.question), [
        findingBody(finding, 3),
      ]),
    ),
  );
}

/** The headline of what was found, its chart, its table, and what it rests on. `level` is that of the heading it stands under. */
function findingBody({ picture, basis, text }: Finding, level: number): string {
  const image = picture === null ? '' : imageOf(picture);
  const [first = '', ...rest] = demoted(text, level).split('\n\n');
  return paragraphs([first, image, ...rest, basis === '' ? '' : `*${basis}*`]);
}

/** A model's own headings must not stand above ours. */
function demoted(text: string, level: number): string {
  return text.replace(/^ {0,3}#{1,6}(?=\s)/gm, '#'.repeat(Math.min(6, level + 1)));
}

/** What could not be answered, why, and what can be asked instead; what was said once is not said again. */
function unansweredText(material: Material): readonly string[] {
  const several = material.assignment.subjects.length > 1;
  const said = new Set<string>();
  return unansweredIn(material).questions.map(({ asked, unanswered }) => {
    const told = unanswered.slice(0, MAX_REASONS).flatMap(({ subject, text }) => {
      // A sentence that announces a list stays with it.
      const [reason = '', ...rest] = demoted(text, 3).split(/(?<!:)\n\n/);
      const name = several ? `**${inert(subject.name)}:** ` : '';
      return [`${name}${reason}`, ...rest.filter((part) => !said.has(part) && said.add(part))];
    });
    return paragraphs([`**“${inert(asked, 200)}”**`, ...told]);
  });
}

function sourceLines({ sources }: Material): readonly string[] {
  return sources.map(({ filename, page, quote: words }, index) => {
    const where = page === null ? '' : `, page ${page}`;
    return `[${index + 1}] ${inert(filename, 200)}${where}: “${inert(words, 200)}”`;
  });
}

const FOLLOWED =
  /\b(?:compare|short|brief|briefly|concise|tables?|charts?|graphs?|report|summary|markdown|bullets?|bullet points|answer(?: the following)?)\b/i;
const BEYOND = /\b(?:e-?mail|translate|recommend|suggest|without|not|don't|no)\b/i;

/** What the reader should know of how far this goes. */
function notesOf(material: Material): readonly string[] {
  const { reading, model, findings, notes } = material;
  const list = (words: readonly string[]): string => {
    const more = words.length > MAX_NAMED ? ` and ${words.length - MAX_NAMED} more` : '';
    return `${words
      .slice(0, MAX_NAMED)
      .map((one) => `“${inert(one, 200)}”`)
      .join(', ')}${more}`;
  };
  const { background } = unansweredIn(material);
  // Wishes for the form of the answer that only a writer can fulfil.
  const unfollowed =
    model === 'built-in analyst' ? reading.instructions.filter((one) => !FOLLOWED.test(one) || BEYOND.test(one)) : [];
  const silent = byQuestion(findings).filter(
    ({ answered, unanswered }) => answered.length > 0 && unanswered.length > 0,
  );
  return [
    ...silent.map(({ asked, unanswered: [first, ...others] }) => {
      const names = [first, ...others].flatMap((one) => (one === undefined ? [] : [inert(one.subject.name)]));
      const reason = first === undefined ? '' : headlineOf(first);
      return `“${inert(asked, 200)}” could not be answered from ${names.join(', ')}: ${reason}`;
    }),
    ...notes,
    ...(reading.leftOut.length === 0
      ? []
      : [`Left out, because a task answers at most 12 questions: ${list(reading.leftOut)}.`]),
    ...(background.length === 0 ? [] : [`Taken for background, not for questions: ${list(background)}.`]),
    ...(unfollowed.length === 0
      ? []
      : [`Not followed, because the built-in analyst writes its answers in a form of its own: ${list(unfollowed)}.`]),
  ];
}

function nameList(subjects: readonly TaskSubject[]): string {
  const shown = subjects.slice(0, 4).map(({ name }) => name);
  const more = subjects.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : joined(shown);
}

function quote(prompt: string): string {
  const text = prompt.length > MAX_PROMPT ? `${prompt.slice(0, MAX_PROMPT)}…` : prompt;
  const lines = text
    .split(/\r\n|[\n\r]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.map((line) => `> ${inert(line, MAX_PROMPT)}`).join('\n>\n');
}

/** The headline of each finding: what was asked before what was looked at besides, every datasource in turn. */
function summaryOf({ findings, assignment: { subjects } }: Material): string {
  const several = subjects.length > 1;
  // The size of one datasource is worth a line; those of several stand in their chapters.
  const isTabled = ({ question }: Finding): boolean => question === FIGURES || (several && question === SIZE);
  const telling = newsOf(findings.filter((one) => isAnswered(one) && !isTabled(one)));
  const asked = telling.filter(({ origin }) => origin === 'prompt');
  const others = subjects.map((subject) => telling.filter((one) => one.origin !== 'prompt' && one.subject === subject));
  const lines = [...asked, ...inTurns(others)].slice(0, MAX_SUMMARY).map((finding) => {
    return several ? `**${inert(finding.subject.name)}:** ${headlineOf(finding)}` : headlineOf(finding);
  });
  return bullets(lines.filter((line) => line !== ''));
}

/** A figure that was asked for and came up again later is told once. */
function newsOf(findings: readonly Finding[]): readonly Finding[] {
  const seen = new Set<string>();
  const asked = findings.filter(({ origin }) => origin === 'prompt');
  return [...asked, ...findings.filter((finding) => !asked.includes(finding))].filter(({ queries }) => {
    const query = queries.at(-1);
    const key = query === undefined ? undefined : figuresIn(query)[0]?.key;
    return key === undefined || (!seen.has(key) && seen.add(key));
  });
}

function chapter(material: Material, subject: TaskSubject, level: number): string {
  const mark = '#'.repeat(level);
  const own = material.findings.filter(
    (one) => one.subject === subject && isAnswered(one) && ![SIZE, FIGURES].includes(one.question),
  );
  const quality = material.quality.find((one) => one.subject === subject)?.sentences ?? [];
  return paragraphs([
    section(`${mark} Key figures`, [keyFigures(material, subject)]),
    section(
      `${mark} Findings`,
      own.map((finding) => section(heading(level + 1, finding.question), [findingBody(finding, level + 1)])),
    ),
    section(`${mark} Data quality`, [bullets(quality), columnsTable(subject.profile)]),
  ]);
}

function keyFigures({ figures, assignment: { previous } }: Material, subject: TaskSubject): string {
  const own = figures.filter((one) => one.subject === subject && one.isSingle).slice(0, MAX_KEY_FIGURES);
  if (own.length === 0) return '';
  const changes = changesSince(previous, own);
  const row = ({ label, value, key }: FoundFigure): readonly string[] => [
    capital(inert(label, 160)),
    numberWords(value),
    ...(previous === null ? [] : [changeCell(changes, key)]),
  ];
  const head = ['Figure', 'Value', ...(previous === null ? [] : [changeHead(previous)])];
  return tableOf(head, own.map(row), [false, true, true]);
}

/** What each column holds, and how much of it is missing. */
function columnsTable({ columns }: TableProfile): string {
  const rows = columns.slice(0, MAX_COLUMNS).map(({ name, type, nulls, distinct, min, max }) => {
    const hasEnds = type === 'time' || isNumeric(type);
    const ends = [min, max].map((end) => (hasEnds ? cellWords(end, type === 'time') : '–'));
    return [inert(name), type, numberWords(nulls), numberWords(distinct), ...ends];
  });
  const more = columns.length - rows.length;
  const head = ['Column', 'Type', 'Missing', 'Different values', 'Lowest', 'Highest'];
  const table = tableOf(head, rows, [false, false, true, true, true, true]);
  return paragraphs([table, more > 0 ? `${counted(more, 'more column')} found no room here.` : '']);
}

function methodText({ queries, assignment, startedAt, model }: Material): string {
  const several = assignment.subjects.length > 1;
  const rows = queries
    .slice(0, MAX_QUERIES)
    .map(({ purpose, subject, result }, index) => [
      String(index + 1),
      capital(inert(purpose, 200)),
      ...(several ? [inert(subject.name)] : []),
      numberWords(result.rowsScanned),
      `${numberWords(result.rows.length)}${result.truncated ? ' (cut)' : ''}`,
    ]);
  const source = several ? ['Datasource'] : [];
  const head = ['#', 'What was asked', ...source, 'Rows in the datasource', 'Rows in the result'];
  const right = [true, false, ...source.map(() => false), true, true];
  const more = queries.length - rows.length;
  const number = queries.length === 1 ? '1 query' : `${numberWords(queries.length)} queries`;
  return paragraphs([
    `Worked out on ${instantWords(startedAt)} by the ${inert(model)}, with ${number}, each of which only reads. The queries themselves stand in the steps of the run. Times are UTC; missing values count in no average and no total; figures are rounded for reading.`,
    rows.length === 0 ? '' : tableOf(head, rows, right),
    more > 0 ? `${numberWords(more)} more ran.` : '',
  ]);
}
