import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  type Feedback,
  GOLDEN_QUESTIONS,
  type GoldenQuestion,
  type GoldenQuestionId,
  type Rating,
} from './golden-question.schema.js';
import type { VerifiedAnswer } from '../../answering/verified-answer.js';
import type { AnalysisPlan } from '../../ports/analysis-plan.js';
import type { AssistantAnswer } from '../../ports/assistant-answer.js';
import type { ExampleQuestion, TableBriefing } from '../../ports/chat-model.js';
import { Clock } from '../../ports/clock.js';
import { IdSource } from '../../ports/id-source.js';
import { asId, type CompanyId, type ConversationId, type DatasourceId, type MessageId } from '../../shared/ids.js';
import { nameOf, type Principal } from '../../shared/principal.js';
import { JoinableTables, type KeptQuery } from '../datasource/joinable-tables.facade.js';
import { EvaluationRepository } from './evaluation/evaluation.repository.js';
import { GoldenQuestionRepository } from './golden-question.repository.js';
import { likeness, QuestionKeys, standsAlone } from './same-question.js';

export { RATINGS, type Rating } from './golden-question.schema.js';

const MOST_EXAMPLES = 3;
const LEAST_LIKENESS = 0.3;

/** What is known of a question before it is answered. */
export interface KnownQuestions {
  /** It is a verified one: its answer, and what that is asked of. */
  readonly same: (VerifiedAnswer & KeptQuery) | null;
  /** Verified ones that are like it, the nearest first. */
  readonly near: readonly ExampleQuestion[];
}

export interface AskedTables {
  readonly companyId: CompanyId;
  /** The first is the main one. */
  readonly datasourceIds: readonly DatasourceId[];
  readonly main: Described;
}

type Described = Pick<TableBriefing, 'joined' | 'profile'>;

/** An answer that somebody got. */
export interface RatedAnswer {
  readonly messageId: MessageId;
  readonly conversationId: ConversationId;
  /** Those of its conversation; the first is the one that it is about. */
  readonly datasourceIds: readonly [DatasourceId, ...DatasourceId[]];
  readonly question: string;
  readonly answer: AssistantAnswer;
  readonly plan: AnalysisPlan | null;
}

/** What its asker says of an answer. */
export interface GivenOpinion {
  readonly messageId: MessageId;
  readonly rating: Rating | null;
  readonly correction: string;
}

/** The door to verified questions for whoever answers. */
@Injectable()
export class VerifiedFacade implements OnModuleInit {
  constructor(
    private readonly goldens: GoldenQuestionRepository,
    private readonly evaluations: EvaluationRepository,
    private readonly tables: JoinableTables,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.tables.alsoRemove(async (companyId, datasourceId) => {
      await this.goldens.removeWhere(companyId, { datasourceId });
      await this.evaluations.removeWhere(companyId, { datasourceId });
      await this.evaluations.schedules.removeWhere(companyId, { datasourceId });
    });
  }

  /** Of those whose datasources are all asked. */
  async known({ companyId, datasourceIds: ids, main }: AskedTables, question: string): Promise<KnownQuestions> {
    const [first] = ids;
    if (first === undefined) return { same: null, near: [] };
    const all = await this.goldens.verified(companyId, first);
    const askable = all.filter(({ others = [] }) => others.every(({ id }) => ids.includes(id)));
    return knownAmong(askable, question, main);
  }

  /** Keeps an opinion with the answer that it is about, for a manager to look at; without one there is nothing to look at. */
  async rate(by: Principal, rated: RatedAnswer, opinion: Omit<GivenOpinion, 'messageId'>): Promise<void> {
    const id = asId<GoldenQuestionId>(rated.messageId);
    const now = this.clock.now();
    const isGiven = opinion.rating !== null || opinion.correction !== '';
    const feedback: Feedback | null = isGiven ? { ...opinion, userId: by.userId, name: nameOf(by), at: now } : null;
    if (feedback === null) await this.goldens.removeWhere(by.companyId, { id, state: 'candidate' });
    if ((await this.goldens.swap({ companyId: by.companyId, id }, {}, { feedback })) !== null || feedback === null)
      return;
    // It may be said twice at the same moment.
    await this.goldens.insertOnce(await this.candidate(by, rated, feedback));
  }

  async opinions(companyId: CompanyId, id: ConversationId): Promise<readonly GivenOpinion[]> {
    const goldens = await this.goldens.allWhere(companyId, { conversationId: id });
    return goldens.flatMap(({ id: messageId, feedback }) =>
      feedback === null
        ? []
        : [{ messageId: asId<MessageId>(messageId), rating: feedback.rating, correction: feedback.correction }],
    );
  }

  /** A conversation is gone, and with it what nobody has verified of it. */
  forget(companyId: CompanyId, id: ConversationId): Promise<void> {
    return this.goldens.removeWhere(companyId, { conversationId: id, state: { not: 'verified' } });
  }

  private async candidate(by: Principal, rated: RatedAnswer, feedback: Feedback): Promise<GoldenQuestion> {
    const { companyId } = by;
    const { messageId, conversationId, datasourceIds, question, answer, plan } = rated;
    const [datasourceId] = datasourceIds;
    const sql = plan === null && answer.dbquery !== '' ? answer.dbquery : null;
    return {
      ...GOLDEN_QUESTIONS.blank,
      id: asId(messageId),
      companyId,
      datasourceId,
      others: await this.tables.othersOf(companyId, datasourceIds, { plan, sql }),
      state: 'candidate',
      question,
      plan,
      sql,
      purpose: answer.query,
      chart: answer.chartRequest ?? null,
      wording: answer.response,
      vouched: [],
      chartSeed: this.ids.token(),
      conversationId,
      feedback,
      wasRight: answer.kind === 'answer' && answer.error === null && answer.verified == null,
      createdAt: feedback.at,
      updatedAt: feedback.at,
    };
  }
}

/** Which of these a question is, and which it is like. */
export function knownAmong(goldens: readonly GoldenQuestion[], question: string, main: Described): KnownQuestions {
  if (goldens.length === 0) return { same: null, near: [] };
  const keys = new QuestionKeys(main);
  const key = keys.of(question);
  const same = standsAlone(question) ? goldens.find((golden) => keys.of(golden.question) === key) : undefined;
  const answer = same === undefined ? null : answerOf(same);
  if (answer !== null) return { same: answer, near: [] };
  const words = keys.words(question);
  const near = goldens
    .map((golden) => ({ golden, like: likeness(words, keys.words(golden.question)) }))
    .filter(({ like }) => like >= LEAST_LIKENESS)
    .toSorted((a, b) => b.like - a.like)
    .slice(0, MOST_EXAMPLES);
  return {
    same: null,
    near: near.map(({ golden: { question: asked, plan, sql } }) => ({ question: asked, plan, sql })),
  };
}

function answerOf({ verifiedBy, verifiedAt, ...golden }: GoldenQuestion): KnownQuestions['same'] {
  if (verifiedBy === null || verifiedAt === null) return null;
  const verification = { userId: verifiedBy.id, name: verifiedBy.name, at: verifiedAt.toISOString() };
  return { ...golden, verification };
}
