import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { AppError } from '../../shared/app-error.js';
import {
  type Evaluation,
  EvaluationFacade,
  summariesOf,
  wholeEvaluationView,
} from '../verified/evaluation/evaluation.facade.js';
import { idFrom } from './admin.service.js';
import type { Outcome } from './admin.types.js';

/** How often it is looked whether an evaluation has ended, and how long nobody may take it up. */
const POLL_MS = 500;
const TAKEN_UP_MS = 30_000;

/** Evaluations for an operator. The running service asks the questions; this waits for it. */
@Injectable()
export class EvaluationCommand {
  constructor(private readonly evaluations: EvaluationFacade) {}

  /** @throws AppError when it comes to no end. */
  async run(datasource: string, model: string | null): Promise<Outcome> {
    const run = await this.ended(await this.evaluations.startAnywhere(idFrom('datasource', datasource), model));
    const [summary] = summariesOf(run);
    if (run.state !== 'done' || summary === undefined) {
      throw new AppError('unavailable', run.error === '' ? `the evaluation was ${run.state}` : run.error);
    }
    const { right, wrong, refused, failed, regressed } = summary;
    const counts = `${right} right, ${wrong} wrong, ${refused} refused, ${failed} failed; ${regressed} were right before.`;
    return {
      text: [counts, ...linesOf(run)].join('\n'),
      record: wholeEvaluationView(run),
      isBad: regressed > 0,
    };
  }

  /** @throws AppError `unavailable` when nobody takes it up. */
  private async ended(run: Evaluation): Promise<Evaluation> {
    const began = performance.now();
    for (;;) {
      await pause(POLL_MS);
      const now = await this.evaluations.find(run.companyId, run.id);
      if (now === null) throw new AppError('not_found', 'the evaluation is gone: its datasource was deleted');
      if (now.state !== 'waiting' && now.state !== 'running') return now;
      if (now.state === 'running' || performance.now() - began < TAKEN_UP_MS) continue;
      await this.evaluations.stop(run);
      throw new AppError('unavailable', 'no running service has taken the evaluation up: start the service first');
    }
  }
}

/** What is not right; what was before is marked. */
function linesOf({ questions }: Evaluation): readonly string[] {
  return questions.flatMap(({ question, judged: [one] }) =>
    one === undefined || one.outcome === 'right'
      ? []
      : [`${one.regressed ? '!' : ' '} ${one.outcome}  ${question}  ${one.reason}`],
  );
}
