import type { AnswerSource } from '../../ports/assistant-answer.js';
import { bullets, imageOf, inline, paragraphs, quoted } from './markdown-words.js';
import { headlineOf, type Finding } from './finding.js';
import { backgroundOf, unansweredIn, type AskedFindings, type Material } from './material.js';

const MAX_HEADING = 160;
const MAX_SHOWN = 3;

/** A heading in words of unknown origin. */
export function heading(level: number, text: string): string {
  return `${'#'.repeat(level)} ${inline(text.replace(/[.:]+$/, ''), MAX_HEADING)}`;
}

/** A section; empty when there is nothing in it. */
export function section(title: string, parts: readonly string[]): string {
  const body = paragraphs(parts);
  return body === '' ? '' : paragraphs([title, body]);
}

/** What was found, its chart, and what it rests on. `level` is that of the heading it stands under. */
export function findingBody(finding: Finding, level: number): string {
  const { picture, basis, text } = finding;
  const image = picture === null ? '' : imageOf(picture.title, picture.filename);
  const [first = '', ...rest] = demoted(text, level).split('\n\n');
  return paragraphs([first, image, ...rest, basis === '' ? '' : `*${basis}*`]);
}

/** A model's own headings must not stand above ours. */
function demoted(text: string, level: number): string {
  return text.replace(/^ {0,3}#{1,6}(?=\s)/gm, '#'.repeat(Math.min(6, level + 1)));
}

/** `- **How many rows are there?** There are 2,922 rows.` */
export function shortAnswers(asked: readonly AskedFindings[], several: boolean): string {
  return bullets(
    asked.map(({ asked: question, answered }) => {
      const words = answered.map((finding) => {
        const line = oneLine(headlineOf(finding));
        return several ? `${inline(finding.subject.name)}: ${line}` : line;
      });
      return `**${inline(question.replace(/[.:]+$/, ''), MAX_HEADING)}** ${words.join(' ')}`;
    }),
  );
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').replace(/^#+\s+/, '');
}

/** What could not be answered, why, and what can be asked instead; what was said once is not said again. */
export function unansweredSection(material: Material, title: string, level: number): string {
  const several = material.assignment.subjects.length > 1;
  const said = new Set<string>();
  const parts = unansweredIn(material).map(({ asked, unanswered }) => {
    const told = unanswered.slice(0, MAX_SHOWN).flatMap((finding) => {
      const [reason = '', ...rest] = demoted(finding.text, level + 1).split('\n\n');
      const name = several ? `**${inline(finding.subject.name)}:** ` : '';
      return [`${name}${reason}`, ...fresh(withoutOrphans(rest), said)];
    });
    return paragraphs([`**${quoted(asked)}**`, ...told]);
  });
  return section(title, parts);
}

/** A sentence that announces a list stays with it. */
function withoutOrphans(parts: readonly string[]): readonly string[] {
  return parts.reduce<readonly string[]>((kept, part) => {
    const last = kept.at(-1);
    return last?.endsWith(':') === true ? [...kept.slice(0, -1), `${last}\n\n${part}`] : [...kept, part];
  }, []);
}

function fresh(parts: readonly string[], said: Set<string>): readonly string[] {
  return parts.filter((part) => !said.has(part) && said.add(part));
}

/** Datasources that had nothing to say to a question that others answered. */
export function silentWords(asked: readonly AskedFindings[]): readonly string[] {
  return asked
    .filter(({ answered, unanswered }) => answered.length > 0 && unanswered.length > 0)
    .map(({ asked: question, unanswered }) => {
      const names = unanswered.map(({ subject }) => inline(subject.name)).join(', ');
      return `${quoted(question)} could not be answered from ${names}: ${reasonOf(unanswered[0])}`;
    });
}

function reasonOf(finding: Finding | undefined): string {
  return finding === undefined ? '' : oneLine(headlineOf(finding));
}

export function sourcesSection(sources: readonly AnswerSource[], title: string): string {
  const lines = sources.map(({ filename, page, quote }, index) => {
    const where = page === null ? '' : `, page ${page}`;
    return `[${index + 1}] ${inline(filename, 200)}${where}: “${inline(quote, 200)}”`;
  });
  return section(title, [bullets(lines)]);
}

/** What the reader should know of how far this goes. */
export function notesOf(material: Material): readonly string[] {
  const { reading, assignment, model } = material;
  const background = backgroundOf(material);
  const left = reading.leftOut;
  const isAnalyst = model === 'built-in analyst';
  return [
    ...material.notes,
    ...(left.length > 0
      ? [
          `Left out, because a task answers at most 12 questions: ${left
            .slice(0, 5)
            .map((one) => quoted(one))
            .join(', ')}${left.length > 5 ? ` and ${left.length - 5} more` : ''}.`,
        ]
      : []),
    ...(background.length > 0 && unansweredIn(material).every(({ asked }) => !background.includes(asked))
      ? [
          `Taken for background, not for questions: ${background
            .slice(0, 5)
            .map((one) => quoted(one))
            .join(', ')}.`,
        ]
      : []),
    ...(isAnalyst ? unfollowed(reading.instructions, assignment.mode === 'report') : []),
  ];
}

const FOLLOWED =
  /\b(?:compare|short|brief|briefly|concise|tables?|charts?|graphs?|report|summary|markdown|bullets?|bullet points|answer(?: the following)?)\b/i;

/** Wishes for the form of the answer that only a writer can fulfil. */
function unfollowed(instructions: readonly string[], _isReport: boolean): readonly string[] {
  const strange = instructions.filter(
    (one) => !FOLLOWED.test(one) || /\b(?:e-?mail|translate|recommend|suggest|without|not|don't|no)\b/i.test(one),
  );
  if (strange.length === 0) return [];
  return [
    `Not followed, because the built-in analyst writes its answers in a form of its own: ${strange
      .slice(0, 5)
      .map((one) => quoted(one))
      .join(', ')}.`,
  ];
}
