import { keptFigures } from './figures.js';
import type { Finding } from './finding.js';
import { bullets, capital, inline, paragraphs } from './markdown-words.js';
import { byQuestion, unansweredIn, type AskedFindings, type Material } from './material.js';
import { sinceLastRun } from './previous-run.js';
import {
  findingBody,
  heading,
  notesOf,
  section,
  shortAnswers,
  silentWords,
  sourcesSection,
  unansweredSection,
} from './write-parts.js';

/** The answer to a prompt: what changed, the direct answer, then each question with its figures and what they rest on. */
export function solveText(material: Material, written: string | null = null): string {
  const { assignment, figures, findings, comparison, checks, sources } = material;
  const answered = byQuestion(findings).filter((one) => one.answered.length > 0);
  const unanswered = unansweredSection(material, '## What could not be answered', 2);
  return paragraphs([
    sinceLastRun(assignment.previous, keptFigures(figures, assignment.subjects)),
    written ?? answersText(material, answered),
    written === null ? '' : section('## Comparison', [comparison]),
    written === null ? furtherText(findings, assignment.subjects.length > 1) : '',
    section('## Checked', [bullets(checks)]),
    unanswered,
    sourcesSection(sources, '## Context files used'),
    section('## Notes', [bullets([...silentWords(answered), ...notesOf(material)])]),
  ]);
}

function answersText(material: Material, answered: readonly AskedFindings[]): string {
  const overview = material.findings.filter(({ origin }) => origin === 'overview');
  const [only, ...others] = answered;
  if (only === undefined && overview.length === 0) return nothingText(material);
  const isOne = only !== undefined && others.length === 0 && only.answered.length === 1 && overview.length === 0;
  if (isOne) return only.answered.map((finding) => findingBody(finding, 1)).join('');
  const several = material.assignment.subjects.length > 1;
  const isBrief = material.reading.wantsBrevity;
  const longer = isBrief ? [] : answered.filter((asked) => asked.answered.some(saysMore));
  const shorter = answered.filter((asked) => !longer.includes(asked));
  return paragraphs([
    shortAnswers(answered, several),
    basisOfShort(shorter, several),
    section('## Comparison', [material.comparison]),
    ...longer.map((asked) => questionText(asked, several)),
    overviewText(overview, several),
  ]);
}

/** There is more to it than the line that stands at the top. */
function saysMore({ text, picture }: Finding): boolean {
  return picture !== null || text.includes('\n\n');
}

/** What the answers rest on that have no section of their own. */
function basisOfShort(asked: readonly AskedFindings[], several: boolean): string {
  const bases = asked.flatMap(({ answered }) =>
    answered.flatMap(({ basis, subject }) =>
      basis === '' ? [] : [several ? `${inline(subject.name)}: ${basis}` : basis],
    ),
  );
  return [...new Set(bases)].map((basis) => `*${basis}*`).join('\n\n');
}

function nothingText(material: Material): string {
  const names = material.assignment.subjects.slice(0, 5).map(({ name }) => inline(name));
  const what = unansweredIn(material).length > 1 ? 'any of this' : 'this';
  return `I could not answer ${what} from ${names.join(', ')}. No figure is given, because none would rest on the data.`;
}

function questionText({ asked, answered }: AskedFindings, several: boolean): string {
  const title = heading(2, asked);
  if (!several)
    return section(
      title,
      answered.map((finding) => findingBody(finding, 2)),
    );
  return section(
    title,
    answered.map((finding) => section(heading(3, finding.subject.name), [findingBody(finding, 3)])),
  );
}

function overviewText(overview: readonly Finding[], several: boolean): string {
  const subjects = [...new Set(overview.map(({ subject }) => subject))];
  return paragraphs(
    subjects.map((subject) => {
      const own = overview.filter((finding) => finding.subject === subject);
      const title = several ? heading(2, `Overview of ${subject.name}`) : '## Overview';
      return section(
        title,
        own.map((finding) => section(heading(3, capital(finding.question)), [findingBody(finding, 3)])),
      );
    }),
  );
}

function furtherText(findings: readonly Finding[], several: boolean): string {
  const further = findings.filter(({ origin }) => origin === 'follow-up');
  return section(
    '## Looking further',
    further.map((finding) => {
      const title = capital(finding.question);
      return section(heading(3, several ? `${finding.subject.name}: ${title}` : title), [findingBody(finding, 3)]);
    }),
  );
}
