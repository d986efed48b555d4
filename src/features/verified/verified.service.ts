import { Injectable } from '@nestjs/common';
import {
  GOLDEN_QUESTIONS,
  type GoldenQuestion,
  type GoldenQuestionId,
  type GoldenState,
} from './golden-question.schema.js';
import { assertColumns, questionOf } from '../../answering/given-plan.js';
import { cleanWording, figuresBeyond, filledWording, placeWithoutColumn } from '../../answering/verified-answer.js';
import type { AnalysisPlan } from '../../ports/analysis-plan.js';
import type { ChartRequest } from '../../ports/chart-renderer.js';
import { IdSource } from '../../ports/id-source.js';
import { Clock } from '../../ports/clock.js';
import type { TableBriefing } from '../../ports/chat-model.js';
import { AppError, invalidField } from '../../shared/app-error.js';
import type { DatasourceId } from '../../shared/ids.js';
import type { Page, PageOf } from '../../shared/page.js';
import { nameOf, type Principal } from '../../shared/principal.js';
import { KeyedSemaphore } from '../../shared/keyed-semaphore.js';
import { JoinableTables, KeptQueries } from '../datasource/joinable-tables.facade.js';
import { GoldenQuestionRepository, MOST_VERIFIED } from './golden-question.repository.js';
import { outdates, QuestionKeys, standsAlone } from './same-question.js';

/** Rows of an answer that can be compared. */
export const MOST_ROWS = 1000;

/** What a manager writes; what is left out stays. A plan takes the place of SQL, and SQL that of a plan. */
export interface GoldenEdit {
  readonly state?: GoldenState;
  readonly question?: string;
  readonly wording?: string;
  readonly plan?: AnalysisPlan;
  readonly sql?: string;
  readonly chart?: ChartRequest | null;
  /** What a plan or SQL may join besides the datasource of the question. */
  readonly otherIds?: readonly DatasourceId[];
}

export interface GoldenDraft extends GoldenEdit {
  readonly datasourceId: DatasourceId;
  readonly question: string;
  readonly wording: string;
}

/** What managers do with questions and their answers: verify, correct, reject, remove. */
@Injectable()
export class VerifiedService {
  /** Those of one datasource one after the other: each is compared with all that are verified. */
  private readonly turns = new KeyedSemaphore();

  constructor(
    private readonly goldens: GoldenQuestionRepository,
    private readonly tables: JoinableTables,
    private readonly queries: KeptQueries,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {}

  /** Last changed first. @throws AppError `not_found` for another company's datasource. */
  async list(by: Principal, id: DatasourceId, state: GoldenState, page: Page): Promise<PageOf<GoldenQuestion>> {
    await this.tables.get(by.companyId, [id]);
    return this.goldens.pageOf(by.companyId, { datasourceId: id, state }, page, [['updatedAt', 'desc']]);
  }

  /** A verified question that no answer was before. @throws AppError as `change`. */
  create(by: Principal, draft: GoldenDraft): Promise<GoldenQuestion> {
    return this.turns.run(draft.datasourceId, () => this.created(by, draft));
  }

  /**
   * What is verified is run before it is kept.
   *
   * @throws AppError `not_found`, `invalid_input`; `conflict` without rows, or when the same question is verified already.
   */
  async change(by: Principal, id: GoldenQuestionId, edit: GoldenEdit): Promise<GoldenQuestion> {
    const { datasourceId } = await this.goldens.get(by.companyId, id);
    return this.turns.run(datasourceId, () => this.changed(by, id, edit));
  }

  async remove(by: Principal, id: GoldenQuestionId): Promise<void> {
    if (!(await this.goldens.remove({ companyId: by.companyId, id }))) throw this.goldens.missing();
  }

  private async created(by: Principal, draft: GoldenDraft): Promise<GoldenQuestion> {
    const { datasourceId } = draft;
    const now = this.clock.now();
    const golden: GoldenQuestion = {
      ...GOLDEN_QUESTIONS.blank,
      id: this.ids.next(),
      companyId: by.companyId,
      datasourceId,
      others: [],
      state: 'verified',
      question: '',
      purpose: '',
      wording: '',
      vouched: [],
      chartSeed: this.ids.token(),
      wasRight: false,
      createdAt: now,
      updatedAt: now,
    };
    const checked = await this.verified(by, await this.edited(golden, draft));
    await this.goldens.insert(checked);
    await this.assertIsThere(by, datasourceId);
    return checked;
  }

  private async changed(by: Principal, id: GoldenQuestionId, edit: GoldenEdit): Promise<GoldenQuestion> {
    const golden = await this.goldens.get(by.companyId, id);
    const next = { ...(await this.edited(golden, edit)), updatedAt: this.clock.now() };
    const isUnverified = next.state !== 'verified';
    const kept = isUnverified ? { ...next, verifiedBy: null, verifiedAt: null } : await this.verified(by, next);
    const { id: _id, companyId, ...set } = kept;
    const changed = await this.goldens.swap({ companyId, id }, {}, set);
    if (changed === null) throw this.goldens.missing();
    return changed;
  }

  private async edited(golden: GoldenQuestion, edit: GoldenEdit): Promise<GoldenQuestion> {
    const next = edited(golden, edit);
    if (edit.otherIds === undefined && edit.plan === undefined && edit.sql === undefined) return next;
    const { companyId, datasourceId, others = [] } = golden;
    const ids = [datasourceId, ...(edit.otherIds ?? others.map(({ id }) => id))];
    return { ...next, others: await this.tables.othersNamed(companyId, ids, next) };
  }

  private async verified(by: Principal, golden: GoldenQuestion): Promise<GoldenQuestion> {
    const { table, profile, joined } = await this.tables.getKept(golden.companyId, golden);
    if (table === null || profile === null) throw new AppError('conflict', 'the datasource has no rows');
    assertAnswers(golden);
    await this.assertIsNew(golden, { profile, joined });
    if (golden.plan !== null) assertColumns(golden.plan, { profile, joined });
    const result = await this.queries.run(table, golden, MOST_ROWS);
    const wording = stableWording(golden.wording);
    if (wording === '') throw invalidField('wording', 'say the answer in words');
    const unknown = placeWithoutColumn(wording, result);
    if (unknown !== undefined) throw invalidField('wording', `the result has no column “${unknown}”`);
    const now = this.clock.now();
    return {
      ...golden,
      wording,
      vouched: figuresBeyond(filledWording(wording, result), golden.question, result),
      verifiedBy: { id: by.userId, name: nameOf(by) },
      verifiedAt: now,
      updatedAt: now,
    };
  }

  private async assertIsNew(
    { companyId, datasourceId, id, question }: GoldenQuestion,
    main: Pick<TableBriefing, 'joined' | 'profile'>,
  ): Promise<void> {
    const others = (await this.goldens.verified(companyId, datasourceId)).filter((other) => other.id !== id);
    if (others.length >= MOST_VERIFIED) {
      throw new AppError('conflict', `a datasource has at most ${MOST_VERIFIED} verified questions`);
    }
    const keys = new QuestionKeys(main);
    const key = keys.of(question);
    const same = others.find((other) => keys.of(other.question) === key);
    if (same !== undefined) throw new AppError('conflict', `the same question is verified already: ${same.question}`);
  }

  /** Its removal may have passed this question by. */
  private async assertIsThere(by: Principal, id: DatasourceId): Promise<void> {
    await this.tables.get(by.companyId, [id]).catch(async (error: unknown) => {
      await this.goldens.removeWhere(by.companyId, { datasourceId: id });
      throw error;
    });
  }
}

function edited(golden: GoldenQuestion, { state, question, wording, chart, ...edit }: GoldenEdit): GoldenQuestion {
  const asked = question?.trim().replace(/\s+/g, ' ') ?? golden.question;
  const run = runFrom(edit);
  return {
    ...golden,
    state: state ?? golden.state,
    question: asked,
    wording: wording ?? golden.wording,
    ...run,
    ...(chart === undefined ? {} : { chart }),
    // Whoever answered it was asked something else, or said something else.
    wasRight: golden.wasRight && run === null && asked === golden.question,
  };
}

/** What answers the question from now on; `null`: what did. */
function runFrom({ plan, sql }: Pick<GoldenEdit, 'plan' | 'sql'>): Partial<GoldenQuestion> | null {
  if (plan === undefined && sql === undefined) return null;
  return {
    plan: plan ?? null,
    sql: sql?.trim() ?? null,
    purpose: plan === undefined ? '' : questionOf(plan),
    chart: null,
  };
}

function assertAnswers({ question, plan, sql, wording }: GoldenQuestion): void {
  if (plan === null && (sql ?? '') === '') throw invalidField('plan', 'what answers the question is a plan or SQL');
  if (question === '') throw invalidField('question', 'a question needs words');
  if (!standsAlone(question)) {
    throw invalidField('question', 'the question must stand alone: say it without the ones before it');
  }
  if (outdates(question, plan, sql)) {
    throw invalidField('question', 'the question names a time that moves and its answer does not: name the date in it');
  }
  if (outdates(question, null, wording)) {
    throw invalidField('wording', 'the question names a time that moves: leave the date out of the words');
  }
}

/** Cleaned until there is nothing left to clean, so that an answer carries it byte for byte. */
function stableWording(wording: string): string {
  const once = cleanWording(wording);
  return once === wording ? once : cleanWording(once);
}
