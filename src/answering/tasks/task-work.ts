import { Injectable } from '@nestjs/common';
import { AS_CONFIGURED, ChatModels } from '../../ports/chat-models.js';
import { Clock } from '../../ports/clock.js';
import { RowReader } from '../../ports/row-reader.js';
import type { TaskStep } from '../../ports/task-step.js';
import { AppError, isAppError } from '../../shared/app-error.js';
import { ChartImages, pictureText } from '../chart-images.js';
import { reportText, solveText, heading } from './composition.js';
import { keptFigures } from './figures.js';
import type { Material, Picture } from './findings.js';
import { checkedWords, Investigation } from './investigation.js';
import type { TaskAssignment, TaskOutcome } from './task-assignment.js';
import { TaskRun } from './task-run.js';
import type { Briefing, ModelDelta } from '../../ports/chat-model.js';
import { Deadline } from '../../shared/deadline.js';
import { bullets, inert, paragraphs } from '../../shared/markdown.js';
import { gather } from '../gather.js';
import { cleanMarkdown } from '../markdown-cleaner.js';
import { KnownFigures, unknownFigures } from '../figure-check.js';

/** Works out agent tasks: reads the prompt, asks the datasources, and writes the answer. */
@Injectable()
export class TaskWork {
  constructor(
    private readonly models: ChatModels,
    private readonly rows: RowReader,
    private readonly images: ChartImages,
    private readonly clock: Clock,
  ) {}

  /**
   * The steps of one run as they are done; returns its outcome. When the signal aborts, its reason is thrown at once.
   *
   * @throws AppError `unavailable` when the model or the row store is away, `invalid_input` when the prompt can't be worked on.
   */
  async *run(assignment: TaskAssignment, signal: AbortSignal): AsyncGenerator<TaskStep, TaskOutcome> {
    signal.throwIfAborted();
    assertWorkable(assignment);
    const { models, rows, images, clock } = this;
    const model = assignment.answerer?.model ?? models.choose(AS_CONFIGURED);
    const run = new TaskRun(assignment, { model, analyst: models.builtIn, rows, images, clock }, signal);
    const material = yield* new Investigation(run).work();
    const startedAt = run.now();
    const written = canWrite(run, material) ? yield* synthesisOf(run, material) : null;
    const isReport = assignment.mode === 'report';
    const answer = isReport ? reportText(material, written) : solveText(material, written);
    yield run.step('answer', { title: isReport ? 'Report' : 'Answer', content: answer }, startedAt);
    return { answer, figures: keptFigures(material.figures, assignment.subjects) };
  }
}

/** A text of its own is worth a model's step only where there is something to put together. */
function canWrite(run: TaskRun, { findings, isWritten }: Material): boolean {
  return !isWritten && run.model.writesFreely && run.model.stepsLeft > 0 && findings.length > 0;
}

function assertWorkable({ prompt, subjects }: TaskAssignment): void {
  if (subjects.length === 0) throw new AppError('invalid_input', 'the task has no datasource to ask');
  if (!/[\p{L}\d]/u.test(prompt)) throw new AppError('invalid_input', 'the prompt has no words');
}

const MAX_FINDING = 4000;
const MAX_FINDINGS = 40_000;
const MAX_WRITTEN = 20_000;
const MAX_PROMPT = 8000;
const CHART = /^[ \t]*\{chart (\d{1,3})\}[ \t]*$/gm;

/** Every figure that the run may name. */
function knownFigures(material: Material): KnownFigures {
  const { queries, assignment, sources, figures, findings } = material;
  const known = new KnownFigures();
  for (const { result } of queries) known.addResult(result);
  for (const { value } of [...figures, ...(assignment.previous?.figures ?? [])]) known.add(value);
  for (const { quote } of sources) known.addText(quote);
  for (const { profile } of assignment.subjects) known.addProfile(profile);
  known.addText(assignment.prompt);
  // What we worked out ourselves from results: shares, halves of a development, differences.
  const own = findings.filter(({ origin }) => origin !== 'prompt').map(({ text }) => text);
  known.addText(paragraphs([...own, material.comparison, ...material.quality.flatMap(({ sentences }) => sentences)]));
  known.add(assignment.subjects.length, findings.length);
  return known;
}

/**
 * Lets a model put the findings into one text; null when it can't, or when it still names figures that nobody found after being told
 * so once. What goes out is cleaned, and the only images in it are charts of ours.
 */
async function* synthesisOf(run: TaskRun, material: Material): AsyncGenerator<TaskStep, string | null> {
  const known = knownFigures(material);
  const pictures = picturesOf(material);
  const startedAt = run.now();
  let unknown: readonly string[] = [];
  for (let attempt = 1; attempt <= 2 && run.model.stepsLeft > 0; attempt += 1) {
    const text = yield* written(run, briefingOf(run, material, unknown));
    if (text === null) return null;
    unknown = unknownFigures(text, known);
    yield run.step('check', checkedWords(unknown.slice(0, 20)), startedAt);
    if (unknown.length === 0) return withCharts(text, pictures, material.assignment.mode === 'report');
  }
  return null;
}

/** What the model writes, cleaned; null, with a step that says why, when there is nothing whole. */
async function* written(run: TaskRun, briefing: Briefing): AsyncGenerator<TaskStep, string | null> {
  const startedAt = run.now();
  using deadline = new Deadline(run.leftMs);
  const late = deadline.signal;
  const signal = AbortSignal.any([run.signal, late]);
  try {
    const deltas = run.model.stream({ briefing, exchanges: [], tools: [] }, signal);
    return await wholeText(gather(deltas, signal));
  } catch (error) {
    run.signal.throwIfAborted();
    if (!late.aborted && !isAppError(error)) throw error;
    const problem = late.aborted ? 'it took too long' : isAppError(error) ? error.message : '';
    const title = 'The model could not write the text; the findings are put together without it';
    yield run.step('error', { title, content: inert(problem, 1000) }, startedAt);
    return null;
  }
}

async function wholeText(deltas: AsyncIterable<ModelDelta>): Promise<string> {
  let text = '';
  let reason: string | null = null;
  for await (const delta of deltas) {
    if (delta.kind === 'text' && text.length < MAX_WRITTEN) text += delta.text;
    if (delta.kind === 'end') reason = delta.reason;
  }
  const cleaned = cleanMarkdown(text).trim();
  if (reason === 'length' || text.length >= MAX_WRITTEN)
    throw new AppError('too_large', 'the model reached its length limit');
  if (cleaned === '') throw new AppError('unavailable', 'the model wrote nothing');
  return cleaned;
}

function briefingOf(run: TaskRun, material: Material, unknown: readonly string[]): Briefing {
  const mended =
    unknown.length === 0
      ? ''
      : `\n\nYour first text named figures that stand in no finding: ${unknown.slice(0, 20).join(', ')}. Write it again without them.`;
  return {
    question: `${taskOf(material)}\n\nThe task:\n${material.assignment.prompt.slice(0, MAX_PROMPT)}${mended}`,
    history: [],
    table: null,
    passages: [],
    findings: findingsFor(material),
    now: run.now(),
    ...run.manner,
  };
}

function taskOf({ assignment }: Material): string {
  return assignment.mode === 'report'
    ? 'Write the summary that opens a report for a manager on this task, from the findings alone: the answer to each question first, then what matters besides. At most ten sentences or bullets, no heading.'
    : 'Write the answer to this task from the findings alone: the direct answer first, then what it rests on.';
}

function findingsFor(material: Material): readonly string[] {
  const pictures = picturesOf(material);
  let room = MAX_FINDINGS;
  const told = material.findings.map((finding) => {
    const place = finding.picture === null ? -1 : pictures.indexOf(finding.picture);
    return paragraphs([
      heading(3, `${finding.question} (${finding.subject.name})`),
      finding.kind === 'answer' ? '' : 'This could not be answered:',
      finding.text.slice(0, MAX_FINDING),
      finding.basis,
      place < 0 ? '' : `{chart ${place + 1}}: ${inert(finding.picture?.title ?? '', 120)}`,
    ]);
  });
  const others = [
    material.comparison === '' ? '' : paragraphs(['### Comparison', material.comparison]),
    ...material.quality.map(({ subject, sentences }) =>
      paragraphs([heading(3, `Data quality of ${subject.name}`), bullets(sentences)]),
    ),
    material.notes.length === 0 ? '' : paragraphs(['### Problems', bullets(material.notes)]),
  ];
  return [...told, ...others].filter((one) => one !== '' && (room -= one.length) > 0);
}

function picturesOf({ findings }: Material): readonly Picture[] {
  return findings.flatMap(({ picture }) => (picture === null ? [] : [picture]));
}

/** The charts where the model put them; in an answer those of the questions that it forgot stand at the end. */
function withCharts(text: string, pictures: readonly Picture[], isReport: boolean): string {
  const placed = new Set<Picture>();
  const drawn = text.replace(CHART, (_, digits: string) => {
    const picture = pictures[Number(digits) - 1];
    if (picture === undefined || placed.has(picture) || isReport) return '';
    placed.add(picture);
    return `\n${pictureText(picture)}\n`;
  });
  const rest = isReport ? [] : pictures.filter((picture) => !placed.has(picture));
  const whole = drawn
    .replace(/\{chart \d{1,3}\}/g, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return paragraphs([whole, ...rest.map((picture) => pictureText(picture))]);
}
