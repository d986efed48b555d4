import { instantWords } from '../../plan/time-words.js';
import { bullets, inert, paragraphs, tableOf } from '../../shared/markdown.js';
import { capital, firstFew, joined, numberWords } from '../../shared/number-words.js';
import { cut } from '../../shared/tame.js';
import { pictureText } from '../chart-images.js';
import { sinceLastRun } from './changes.js';
import { figuresIn, keptFigures } from './figures.js';
import { byQuestion, headlineOf, isAnswered, placeOf, unansweredIn, type Finding, type Material } from './findings.js';
import { FIGURES, SIZE } from './general-look.js';
import { inTurns } from './investigation.js';
import type { TaskSubject } from './task-assignment.js';

const MAX_HEADING = 160;
const MAX_PROMPT = 1500;
const MAX_SUMMARY = 8;
const MAX_KEY_FIGURES = 16;
/** Names and questions that a note lists. */
const MAX_NAMED = 5;
const MAX_REASONS = 3;

/** The answer to a prompt: what changed, then each finding with its chart, its figures and what they rest on. */
export function solveText(material: Material, written: string | null = null): string {
  return paragraphs([
    changesOf(material),
    ...(written === null ? answers(material) : [written, section('## Comparison', [material.comparison])]),
    section('## Checked', [qualityText(material)]),
    ...closingSections(material),
  ]);
}

/** A report that can be read as it is: what was asked, key figures, findings with charts, the quality of the data, the method. */
export function reportText(material: Material, summary: string | null = null): string {
  const { subjects, prompt } = material.assignment;
  const told = material.findings.filter((one) => isAnswered(one) && ![SIZE, FIGURES].includes(one.question));
  return paragraphs([
    heading(1, `Report on ${nameList(subjects)}`),
    `*${instantWords(material.startedAt)}*`,
    changesOf(material),
    section('## What was asked', [quote(prompt)]),
    section('## Summary', [summary ?? summaryOf(material)]),
    section('## Comparison', [material.comparison]),
    section('## Key figures', [keyFigures(material)]),
    section('## Findings', sectionsOf(material, told)),
    section('## Data quality', [qualityText(material)]),
    ...closingSections(material, section('## Method', [methodText(material)])),
  ]);
}

/** A heading in words of unknown origin. */
export function heading(level: number, text: string): string {
  return `${'#'.repeat(level)} ${inert(text.replace(/[.:]+$/, ''), MAX_HEADING)}`;
}

/** A section; empty when there is nothing in it. */
function section(title: string, parts: readonly string[]): string {
  const body = paragraphs(parts);
  return body === '' ? '' : paragraphs([title, body]);
}

function changesOf({ assignment: { previous, subjects }, figures }: Material): string {
  return sinceLastRun(previous, keptFigures(figures, subjects));
}

function isOfSeveral({ assignment: { subjects } }: Material): boolean {
  return subjects.length > 1;
}

function qualityText(material: Material): string {
  return paragraphs(
    material.quality.map(({ subject, sentences }) =>
      section(isOfSeveral(material) ? heading(3, subject.name) : '', [bullets(sentences)]),
    ),
  );
}

function closingSections(material: Material, method = ''): readonly string[] {
  return [
    section('## What could not be answered', unansweredText(material)),
    method,
    section('## Context files used', [bullets(sourceLines(material))]),
    section('## Notes', [bullets(notesOf(material))]),
  ];
}

/** The answers to questions of the prompt, each under its question, and what was looked at besides; one alone stands as it is. */
function answers(material: Material): readonly string[] {
  const from = (origin: Finding['origin']): readonly Finding[] =>
    material.findings.filter((one) => one.origin === origin);
  const [answered, overview] = [from('prompt').filter(isAnswered), from('overview')];
  const further = section('## Looking further', sectionsOf(material, from('follow-up')));
  const [only, another] = [...answered, ...overview];
  if (only === undefined) return [nothingText(material), further];
  if (another === undefined && only.origin === 'prompt') return [findingBody(only, 1), further];
  return [
    ...sectionsOf(material, answered, 2),
    section('## Comparison', [material.comparison]),
    section('## Overview', sectionsOf(material, overview)),
    further,
  ];
}

function nothingText(material: Material): string {
  const names = material.assignment.subjects.slice(0, MAX_NAMED).map(({ name }) => inert(name));
  const what = unansweredIn(material).questions.length > 1 ? 'any of this' : 'this';
  return `I could not answer ${what} from ${names.join(', ')}.`;
}

/** What was found, each under its question, and with several datasources under whose answer it is. */
function sectionsOf(material: Material, findings: readonly Finding[], level = 3): readonly string[] {
  return findings.map((finding) => {
    const { subject, question } = finding;
    const title = isOfSeveral(material) ? `${subject.name}: ${question}` : question;
    return section(heading(level, title), [findingBody(finding, level)]);
  });
}

/** The headline of what was found, its chart, its table, and what it rests on. `level` is that of the heading it stands under. */
function findingBody({ picture, basis, text }: Finding, level: number): string {
  const image = picture === null ? '' : pictureText(picture);
  const [first = '', ...rest] = demoted(text, level).split('\n\n');
  return paragraphs([first, image, ...rest, basis === '' ? '' : `*${basis}*`]);
}

/** A model's own headings must not stand above ours. */
function demoted(text: string, level: number): string {
  return text.replace(/^ {0,3}#{1,6}(?=\s)/gm, '#'.repeat(Math.min(6, level + 1)));
}

/** What could not be answered, why, and what can be asked instead; what was said once is not said again. */
function unansweredText(material: Material): readonly string[] {
  const said = new Set<string>();
  return unansweredIn(material).questions.map(({ asked, unanswered }) => {
    const told = unanswered.slice(0, MAX_REASONS).flatMap(({ subject, text }) => {
      // A sentence that announces a list stays with it.
      const [reason = '', ...rest] = demoted(text, 3).split(/(?<!:)\n\n/);
      const name = isOfSeveral(material) ? `**${inert(subject.name)}:** ` : '';
      return [`${name}${reason}`, ...rest.filter((part) => !said.has(part) && said.add(part))];
    });
    return paragraphs([`**“${inert(asked, 200)}”**`, ...told]);
  });
}

function sourceLines({ sources }: Material): readonly string[] {
  return sources.map((source, index) => `[${index + 1}] ${placeOf(source)}: “${inert(source.quote, 200)}”`);
}

/** Wishes that its form fulfils anyway. */
const FOLLOWED =
  /^(?!.*\b(?:e-?mail|translate|without|not|don't|no)\b).*\b(?:compare|short|brief|briefly|concise|tables?|charts?|graphs?|report|summary|markdown|bullets?|answer)\b/i;

/** What the reader should know of how far this goes. */
function notesOf(material: Material): readonly string[] {
  const { reading, model, findings, notes } = material;
  const listed = (why: string, words: readonly string[]): readonly string[] => {
    const named = words.map((one) => `“${inert(one, 200)}”`);
    return words.length === 0 ? [] : [`${why}: ${firstFew(named)}.`];
  };
  const silent = byQuestion(findings).filter(
    ({ answered, unanswered }) => answered.length > 0 && unanswered.length > 0,
  );
  return [
    ...silent.map(({ asked, unanswered }) => {
      const names = unanswered.map(({ subject }) => inert(subject.name));
      const reason = unanswered.slice(0, 1).map(headlineOf).join('');
      return `“${inert(asked, 200)}” could not be answered from ${names.join(', ')}: ${reason}`;
    }),
    ...notes,
    ...listed('Not answered, because a task answers at most 12 questions', reading.leftOut),
    ...listed('Read as background, not as questions', unansweredIn(material).background),
    ...listed(
      'Ignored, because the built-in analyst has its own form of answers',
      model === 'built-in analyst' ? reading.instructions.filter((one) => !FOLLOWED.test(one)) : [],
    ),
  ];
}

function nameList(subjects: readonly TaskSubject[]): string {
  const names = subjects.map(({ name }) => name);
  return names.length > 4 ? firstFew(names, 4) : joined(names);
}

function quote(prompt: string): string {
  const lines = cut(prompt, MAX_PROMPT)
    .split(/\r\n|[\n\r]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.map((line) => `> ${inert(line, MAX_PROMPT)}`).join('\n>\n');
}

/** The headline of each finding: what was asked before what was looked at besides, every datasource in turn; each figure once. */
function summaryOf(material: Material): string {
  const { findings, assignment } = material;
  const told = findings.filter((one) => isAnswered(one) && one.question !== FIGURES);
  const asked = told.filter(({ origin }) => origin === 'prompt');
  const others = assignment.subjects.map((subject) =>
    told.filter((one) => one.origin !== 'prompt' && one.subject === subject),
  );
  const seen = new Set<string>();
  const isNew = ({ queries }: Finding): boolean => {
    const key = queries.slice(-1).flatMap(figuresIn)[0]?.key;
    return key === undefined || (!seen.has(key) && seen.add(key) === seen);
  };
  const lines = [...asked, ...inTurns(others)].filter(isNew).map((finding) => {
    return isOfSeveral(material) ? `**${inert(finding.subject.name)}:** ${headlineOf(finding)}` : headlineOf(finding);
  });
  return bullets(lines.slice(0, MAX_SUMMARY));
}

function keyFigures({ figures, assignment: { subjects } }: Material): string {
  const rows = subjects.flatMap((subject) => {
    const own = figures.filter((one) => one.subject === subject && one.isSingle).slice(0, MAX_KEY_FIGURES);
    return keptFigures(own, subjects).map(({ label, value }) => [capital(inert(label, 160)), numberWords(value)]);
  });
  return rows.length === 0 ? '' : tableOf(['Figure', 'Value'], rows, [false, true]);
}

function methodText({ queries, startedAt, model }: Material): string {
  const number = queries.length === 1 ? '1 query' : `${numberWords(queries.length)} queries`;
  return `Prepared on ${instantWords(startedAt)} by the ${inert(model)} with ${number}. The steps of the run show each query and its result. Times are in UTC. Averages and totals ignore missing values. Figures are rounded.`;
}
