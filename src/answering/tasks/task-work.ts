import { Injectable } from '@nestjs/common';
import { AS_CONFIGURED, ChatModels } from '../../ports/chat-models.js';
import { Clock } from '../../ports/clock.js';
import { RowReader } from '../../ports/row-reader.js';
import type { TaskStep } from '../../ports/task-step.js';
import { AppError } from '../../shared/app-error.js';
import { ChartImages } from '../chart-images.js';
import { reportText, solveText } from './composition.js';
import { keptFigures } from './figures.js';
import type { Material } from './findings.js';
import { Investigation } from './investigation.js';
import { synthesisOf } from './synthesis.js';
import type { TaskAssignment, TaskOutcome } from './task-assignment.js';
import { TaskRun } from './task-run.js';

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
    // Whoever stops listening stops the work too.
    const left = new AbortController();
    const ended = AbortSignal.any([signal, left.signal]);
    const { models, rows, images, clock } = this;
    const model = assignment.answerer?.model ?? models.choose(AS_CONFIGURED);
    try {
      return yield* outcomeOf(new TaskRun(assignment, { model, analyst: models.builtIn, rows, images, clock }, ended));
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      left.abort();
    }
  }
}

async function* outcomeOf(run: TaskRun): AsyncGenerator<TaskStep, TaskOutcome> {
  const material = yield* new Investigation(run).work();
  const startedAt = run.now();
  const written = canWrite(run, material) ? yield* synthesisOf(run, material) : null;
  const isReport = material.assignment.mode === 'report';
  const answer = isReport ? reportText(material, written) : solveText(material, written);
  yield run.step('answer', { title: isReport ? 'Report' : 'Answer', content: answer }, startedAt);
  return { answer, figures: keptFigures(material.figures, material.assignment.subjects) };
}

/** A text of its own is worth a model's step only where there is something to put together. */
function canWrite(run: TaskRun, { findings, isWritten }: Material): boolean {
  return !isWritten && run.model.writesFreely && run.model.stepsLeft > 0 && findings.length > 0;
}

function assertWorkable({ prompt, subjects }: TaskAssignment): void {
  if (subjects.length === 0) throw new AppError('invalid_input', 'the task has no datasource to ask');
  if (!/[\p{L}\d]/u.test(prompt)) throw new AppError('invalid_input', 'the prompt has no words');
}
