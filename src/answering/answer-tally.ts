import type { AnswerKind } from '../ports/assistant-answer.js';
import type { ChatModel } from '../ports/chat-model.js';
import type { Metrics } from '../ports/metrics.js';
import type { AnswerStep } from './answer-step.js';

/** Counts one answer: its kind, who wrote it, and how long it took. */
export class AnswerTally {
  private readonly began = performance.now();
  private readonly asked: string;
  private kind: AnswerKind | 'failed' | 'stopped' = 'stopped';

  constructor(
    private readonly model: ChatModel,
    private readonly metrics: Metrics,
  ) {
    this.asked = engineOf(model);
  }

  async *of(steps: AsyncIterable<AnswerStep>): AsyncGenerator<AnswerStep> {
    for await (const step of steps) {
      if (step.kind === 'done') this.kind = step.answer.kind;
      yield step;
    }
  }

  failed(): void {
    this.kind = 'failed';
  }

  /** Whoever stops listening before the last step has stopped the answer. */
  end(): void {
    const engine = engineOf(this.model);
    const seconds = (performance.now() - this.began) / 1000;
    this.metrics.observe('answer_duration_seconds', { kind: this.kind, engine }, seconds);
    if (engine !== this.asked) this.metrics.count('answer_fallbacks_total', {});
  }
}

/** Not the model's name: companies choose theirs freely. */
export function engineOf(model: ChatModel): string {
  return model.writesFreely ? 'model' : 'built-in';
}
