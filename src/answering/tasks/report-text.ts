import { figuresIn, keptFigures, type FoundFigure } from './figures.js';
import { headlineOf, isAnswered, type Finding } from './finding.js';
import {
  bullets,
  capital,
  cellWords,
  countOf,
  inline,
  instantWords,
  numberWords,
  paragraphs,
  tableOf,
} from './markdown-words.js';
import { byQuestion, type Material } from './material.js';
import { changeCell, changeHead, changesSince, sinceLastRun } from './previous-run.js';
import type { TaskSubject } from './task-assignment.js';
import { inTurns } from './turns.js';
import {
  findingBody,
  heading,
  notesOf,
  section,
  silentWords,
  sourcesSection,
  unansweredSection,
} from './write-parts.js';

const MAX_KEY_FIGURES = 16;
const MAX_QUERIES = 60;
const MAX_PROMPT = 1500;
const MAX_SUMMARY = 8;
/** These stand in the table of key figures already. */
const TABLED = ['Size and time', 'Main figures'];

/** A report that can be read as it is: what was asked, key figures, findings with charts, the quality of the data, the method. */
export function reportText(material: Material, summary: string | null = null): string {
  const { assignment, figures, findings, comparison, checks, sources } = material;
  const { subjects } = assignment;
  const several = subjects.length > 1;
  const answered = byQuestion(findings).filter((one) => one.answered.length > 0);
  return paragraphs([
    heading(1, `Report on ${namesOf(subjects)}`),
    `*${instantWords(material.startedAt)}*`,
    sinceLastRun(assignment.previous, keptFigures(figures, assignment.subjects)),
    section('## What was asked', [quote(assignment.prompt)]),
    section('## Summary', [summary ?? summaryOf(findings, subjects)]),
    section('## Comparison', [comparison]),
    ...(several ? chapters(material) : subjects.map((subject) => chapter(material, subject, 2))),
    section('## Checked', [bullets(checks)]),
    unansweredSection(material, '## What could not be answered', 2),
    section('## Method', [methodText(material)]),
    sourcesSection(sources, '## Context files used'),
    section('## Notes', [bullets([...silentWords(answered), ...notesOf(material)])]),
  ]);
}

function namesOf(subjects: readonly TaskSubject[]): string {
  const names = subjects.slice(0, 4).map(({ name }) => name);
  const more = subjects.length - names.length;
  if (more > 0) return `${names.join(', ')} and ${more} more`;
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

function quote(prompt: string): string {
  const text = prompt.length > MAX_PROMPT ? `${prompt.slice(0, MAX_PROMPT)}…` : prompt;
  const lines = text
    .split(/\r\n|[\n\r]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.map((line) => `> ${inline(line, MAX_PROMPT)}`).join('\n>\n');
}

/** The sentence of each finding that says the most: what was asked before what was looked at besides, every datasource in turn. */
function summaryOf(findings: readonly Finding[], subjects: readonly TaskSubject[]): string {
  const several = subjects.length > 1;
  const telling = newsOf(findings.filter((one) => isAnswered(one) && !isTabled(one, several)));
  const asked = telling.filter(({ origin }) => origin === 'prompt');
  const others = subjects.map((subject) => telling.filter((one) => one.origin !== 'prompt' && one.subject === subject));
  const lines = [...asked, ...inTurns(others)].slice(0, MAX_SUMMARY).map((finding) => {
    const line = headlineOf(finding).replace(/\s*\n\s*/g, ' ');
    return several ? `**${inline(finding.subject.name)}:** ${line}` : line;
  });
  return bullets(lines.filter((line) => line !== ''));
}

/** The size of one datasource is worth a line; those of several stand in their chapters. */
function isTabled({ question }: Finding, several: boolean): boolean {
  return question === 'Main figures' || (several && question === 'Size and time');
}

/** A figure that was asked for and came up again later is told once. */
function newsOf(findings: readonly Finding[]): readonly Finding[] {
  const seen = new Set<string>();
  const asked = findings.filter(({ origin }) => origin === 'prompt');
  return [...asked, ...findings.filter((finding) => !asked.includes(finding))].filter((finding) => {
    const key = leadOf(finding);
    return key === null || (!seen.has(key) && seen.add(key));
  });
}

/** The figure that a finding is about, in whatever question it came up. */
function leadOf({ queries: [query] }: Finding): string | null {
  return query === undefined ? null : (figuresIn(query)[0]?.key ?? null);
}

function chapters(material: Material): readonly string[] {
  return material.assignment.subjects.map((subject) =>
    section(heading(2, subject.name), [chapter(material, subject, 3)]),
  );
}

function chapter(material: Material, subject: TaskSubject, level: number): string {
  const mark = '#'.repeat(level);
  const own = material.findings.filter(
    (one) => one.subject === subject && isAnswered(one) && !TABLED.includes(one.question),
  );
  const quality = material.quality.find((one) => one.subject === subject)?.sentences ?? [];
  return paragraphs([
    section(`${mark} Key figures`, [keyFigures(material, subject)]),
    section(
      `${mark} Findings`,
      own.map((finding) => section(heading(level + 1, capital(finding.question)), [findingBody(finding, level + 1)])),
    ),
    section(`${mark} Data quality`, [bullets(quality), missingTable(subject)]),
  ]);
}

function keyFigures({ figures, assignment: { previous } }: Material, subject: TaskSubject): string {
  const own = figures
    .filter((one) => one.subject === subject && one.isSingle && !one.label.startsWith('standard deviation'))
    .slice(0, MAX_KEY_FIGURES);
  if (own.length === 0) return '';
  const changes = changesSince(previous, own);
  const row = ({ label, value, key }: FoundFigure): readonly string[] => [
    capital(inline(label, 160)),
    numberWords(value),
    ...(previous === null ? [] : [changeCell(changes, key)]),
  ];
  const head = ['Figure', 'Value', ...(previous === null ? [] : [changeHead(previous)])];
  return tableOf(head, own.map(row), [false, true, true]);
}

const MAX_COLUMNS = 20;

/** What each column holds, and how much of it is missing. */
function missingTable({ profile }: TaskSubject): string {
  const rows = profile.columns
    .slice(0, MAX_COLUMNS)
    .map(({ name, type, nulls, distinct, min, max }) => [
      inline(name),
      type,
      nulls.toLocaleString('en-US'),
      distinct.toLocaleString('en-US'),
      type === 'text' || type === 'boolean' ? '–' : cellWords(min, type === 'time'),
      type === 'text' || type === 'boolean' ? '–' : cellWords(max, type === 'time'),
    ]);
  const more = profile.columns.length - rows.length;
  const table = tableOf(['Column', 'Type', 'Missing', 'Different values', 'Lowest', 'Highest'], rows, [
    false,
    false,
    true,
    true,
    true,
    true,
  ]);
  return paragraphs([table, more > 0 ? `${countOf(more, 'more column')} found no room here.` : '']);
}

function methodText({ queries, assignment, startedAt, model }: Material): string {
  const several = assignment.subjects.length > 1;
  const rows = queries
    .slice(0, MAX_QUERIES)
    .map(({ purpose, subject, result }, index) => [
      String(index + 1),
      capital(inline(purpose, 200)),
      ...(several ? [inline(subject.name)] : []),
      result.rowsScanned.toLocaleString('en-US'),
      `${result.rows.length.toLocaleString('en-US')}${result.truncated ? ' (cut)' : ''}`,
    ]);
  const head = [
    '#',
    'What was asked',
    ...(several ? ['Datasource'] : []),
    'Rows in the datasource',
    'Rows in the result',
  ];
  const right = [true, false, ...(several ? [false] : []), true, true];
  const more =
    queries.length > MAX_QUERIES ? `${countOf(queries.length - MAX_QUERIES, 'more query', 'more queries')} ran.` : '';
  return paragraphs([
    `Worked out on ${instantWords(startedAt)} by the ${inline(model)}, with ${countOf(queries.length, 'query', 'queries')}, each of which only reads. The queries themselves stand in the steps of the run. Times are UTC; missing values count in no average and no total; figures are rounded for reading.`,
    rows.length === 0 ? '' : tableOf(head, rows, right),
    more,
  ]);
}
