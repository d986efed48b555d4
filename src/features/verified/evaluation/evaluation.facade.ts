import { Injectable } from '@nestjs/common';
import { type Evaluation, type EvaluationId, EVALUATIONS } from './evaluation.schema.js';
import { Clock } from '../../../ports/clock.js';
import { IdSource } from '../../../ports/id-source.js';
import { NO_LEASE } from '../../../queue/lease-keeper.js';
import { AppError } from '../../../shared/app-error.js';
import type { CompanyId, DatasourceId } from '../../../shared/ids.js';
import { GoldenQuestionRepository } from '../golden-question.repository.js';
import { EvaluationRepository, UNENDED } from './evaluation.repository.js';

export type { Evaluation } from './evaluation.schema.js';
export { summariesOf, wholeEvaluationView } from './evaluation.wire.js';

export type EvaluationOrder = Pick<Evaluation, 'companyId' | 'datasourceId' | 'trigger' | 'models' | 'semantics'>;

/** Evaluations as records: written down here, worked on by whichever instance takes them up. */
@Injectable()
export class EvaluationFacade {
  constructor(
    private readonly evaluations: EvaluationRepository,
    private readonly goldens: GoldenQuestionRepository,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError `conflict` while another one of the datasource runs, or when there is nothing to ask. */
  async start({ companyId, datasourceId, ...order }: EvaluationOrder): Promise<Evaluation> {
    const goldens = await this.goldens.verified(companyId, datasourceId);
    if (goldens.length === 0) throw nothingToAsk();
    if ((await this.evaluations.countOf(companyId, { datasourceId, ...UNENDED })) > 0) {
      throw new AppError('conflict', 'an evaluation of the datasource is running');
    }
    const run: Evaluation = {
      ...EVALUATIONS.blank,
      ...order,
      id: this.ids.next(),
      companyId,
      datasourceId,
      state: 'waiting',
      questions: goldens.map(({ id, question }) => ({ id, question, judged: [] })),
      error: '',
      createdAt: this.clock.now(),
    };
    await this.evaluations.insert(run);
    return run;
  }

  /** For administration: of whichever company the datasource is. @throws AppError as `start`. */
  async startAnywhere(datasourceId: DatasourceId, model: string | null): Promise<Evaluation> {
    const [golden] = await this.goldens.anywhere({ datasourceId, state: 'verified' }, { limit: 1 });
    if (golden === undefined) throw nothingToAsk();
    const { companyId } = golden;
    return this.start({ companyId, datasourceId, trigger: 'command', models: [model], semantics: null });
  }

  find(companyId: CompanyId, id: EvaluationId): Promise<Evaluation | null> {
    return this.evaluations.find(companyId, id);
  }

  /** Ends it, whoever works on it; null: it had ended. */
  stop({ companyId, id }: Pick<Evaluation, 'companyId' | 'id'>): Promise<Evaluation | null> {
    const set = { state: 'stopped', endedAt: this.clock.now(), ...NO_LEASE } as const;
    return this.evaluations.swap({ companyId, id }, UNENDED, set);
  }
}

function nothingToAsk(): AppError {
  return new AppError('conflict', 'the datasource has no verified questions');
}
