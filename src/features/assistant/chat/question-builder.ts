import { Injectable } from '@nestjs/common';
import { assertColumns, questionOf } from '../../../answering/given-plan.js';
import { DEFAULT_STEPS, type Question } from '../../../answering/question.js';
import { type VerifiedAnswer, VerifiedModel } from '../../../answering/verified-answer.js';
import { AppConfig } from '../../../config/app-config.js';
import { isMoving, planAt } from '../../../plan/moving-times.js';
import type { AnswerSource } from '../../../ports/assistant-answer.js';
import type { HistoryTurn } from '../../../ports/chat-model.js';
import { Clock } from '../../../ports/clock.js';
import { ContextFilesFacade } from '../../context-files/context-files.facade.js';
import type { ReadableDatasource } from '../../datasource/datasource.facade.js';
import { type JoinableDatasource, JoinableTables, type KeptQuery } from '../../datasource/joinable-tables.facade.js';
import { type KnownQuestions, VerifiedFacade } from '../../verified/verified.facade.js';
import { AppError, invalidField, onKind } from '../../../shared/app-error.js';
import type { CompanyId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import { idsOf } from '../conversations/conversation.schema.js';
import { ConversationService } from '../conversations/conversation.service.js';
import { HistoryService } from '../history/history.service.js';
import type { BegunAnswer, ChatRequest } from './begun-answer.js';

/** A question that a model can be asked, or the sentence that says why there is nothing to ask: no rows, or no files. */
export type Askable =
  | { readonly kind: 'question'; readonly question: Question }
  | { readonly kind: 'no_rows'; readonly why: string };

interface AskedAbout {
  /** The first is the main one of this question. */
  readonly all: readonly JoinableDatasource[];
  readonly known: KnownQuestions;
}

/** What conversations ask, and which of its questions have a verified answer. */
@Injectable()
export class AskedTables {
  constructor(
    private readonly conversations: ConversationService,
    private readonly tables: JoinableTables,
    private readonly verified: VerifiedFacade,
  ) {}

  /**
   * Whether a plan can be asked in its conversation. Without a plan the conversation alone is looked at. Of a datasource that has no rows the answer says so.
   *
   * @throws AppError `invalid_input`, or `not_found` for another user's conversation.
   */
  async check(by: Principal, { conversationId, given, contextOnly }: ChatRequest): Promise<void> {
    const conversation = await this.conversations.find(by, conversationId);
    if (given === null) return;
    if (contextOnly || conversation.contextOnly)
      throw invalidField('plan', 'a plan can’t be asked of context files alone');
    const about = given.datasourceId ?? conversation.datasourceId;
    if (!idsOf(conversation).includes(about))
      throw new AppError('not_found', 'the conversation has no such datasource');
    // Of what is gone the answer says so.
    const all = await this.tables.get(by.companyId, idsOf(conversation)).catch(onKind('not_found', () => []));
    const asked = all.find(({ id }) => id === about);
    if (asked?.profile != null) assertColumns(given.plan, { profile: asked.profile, joined: asked.joined });
  }

  /** The one that a given plan is about, or else the main one, is the first. @throws AppError `not_found` */
  async get({ conversation, message, given }: BegunAnswer): Promise<AskedAbout> {
    const { companyId } = conversation;
    const all = await this.tables.get(companyId, idsOf(conversation, given?.datasourceId ?? undefined));
    const [main, ...others] = all;
    // A plan is asked as it is.
    if (given !== null || main?.profile == null) return { all, known: NOTHING_KNOWN };
    const asked = { companyId, datasourceIds: all.map(({ id }) => id), main: { ...main, profile: main.profile } };
    const known = await this.verified.known(asked, message);
    if (known.same === null) return { all, known };
    return { all: [await this.answering(companyId, known.same, main), ...others], known };
  }

  /** With what the verified answer joins, by the names that it knows. Without a relation it fails, and whoever answers everybody else does. */
  private async answering(
    companyId: CompanyId,
    same: KeptQuery,
    main: JoinableDatasource,
  ): Promise<JoinableDatasource> {
    if ((same.others ?? []).length === 0) return main;
    return this.tables.getKept(companyId, same).catch(onKind('invalid_input', () => main));
  }
}

/** Gathers all that a model is told of a question: the table, its profile, passages of context files, and what was said before. */
@Injectable()
export class QuestionBuilder {
  constructor(
    private readonly tables: AskedTables,
    private readonly contextFiles: ContextFilesFacade,
    private readonly history: HistoryService,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  async build(begun: BegunAnswer, signal: AbortSignal): Promise<Askable> {
    const { conversation } = begun;
    const about = await this.tables.get(begun);
    if (begun.contextOnly || conversation.contextOnly) return this.fromFiles(begun, signal);
    const [first] = about.all;
    if (first?.table == null || first.profile === null) {
      return { kind: 'no_rows', why: WITHOUT_ROWS[first?.state ?? 'ready'] };
    }
    return { kind: 'question', question: await this.questionOf(begun, about, signal) };
  }

  /** Context files alone: what becomes of the datasource does not matter. */
  private async fromFiles(begun: BegunAnswer, signal: AbortSignal): Promise<Askable> {
    const counts = await this.contextFiles.counts(begun.conversation.companyId);
    if (counts.ready === 0) return { kind: 'no_rows', why: withoutFiles(counts) };
    return { kind: 'question', question: await this.questionOf(begun, NOTHING_ASKED, signal) };
  }

  private async questionOf(
    begun: BegunAnswer,
    { all: [first, ...beside], known: { same, near } }: AskedAbout,
    signal: AbortSignal,
  ): Promise<Question> {
    const { conversation, message, answerer } = begun;
    const now = this.clock.now();
    const given = begun.given && { ...begun.given, plan: planAt(begun.given.plan, now) };
    const datasource = first ?? null;
    // The question itself is stored already; what came before it is the history.
    const turns = await this.history.turns(conversation);
    const others = beside.flatMap((one) => {
      const briefing = tableBriefing(one);
      return one.table === null || briefing === null ? [] : [{ table: one.table, briefing }];
    });
    return {
      companyId: conversation.companyId,
      model: same === null ? answerer.model : new VerifiedModel(verifiedAt(same, now), answerer.model),
      table: datasource?.table ?? null,
      others: others.map(({ table }) => table),
      briefing: {
        question: message,
        history: turns,
        table: tableBriefing(datasource),
        others: others.map(({ briefing }) => briefing),
        examples: near,
        passages: given === null && same === null ? await this.passagesFor(begun, turns.at(-1), signal) : [],
        now,
        language: answerer.language,
        instructions: answerer.instructions,
        given,
      },
      limits: {
        steps: DEFAULT_STEPS,
        toolCalls: answerer.toolCalls,
        queryTimeoutMs: this.config.limits.queryTimeoutMs,
      },
    };
  }

  /** A question that says nothing by itself (“and for how long?”) is looked for together with the one before it. */
  private async passagesFor(
    { conversation, message }: BegunAnswer,
    before: HistoryTurn | undefined,
    signal: AbortSignal,
  ): Promise<readonly AnswerSource[]> {
    const { companyId } = conversation;
    const found = await this.contextFiles.passagesFor(companyId, message, signal);
    if (found.length > 0 || before === undefined) return found;
    return this.contextFiles.passagesFor(companyId, `${before.question}\n${message}`, signal);
  }
}

function tableBriefing(datasource: JoinableDatasource | null): Question['briefing']['table'] {
  if (datasource?.profile === null || datasource === null) return null;
  const { name, context, semantics, profile, joined } = datasource;
  return { name, context, semantics, profile, joined };
}

/** With the dates that are meant now, and the words for them. */
function verifiedAt<A extends VerifiedAnswer>(answer: A, now: Date): A {
  if (answer.plan === null || !isMoving(answer.plan)) return answer;
  const plan = planAt(answer.plan, now);
  return { ...answer, plan, purpose: questionOf(plan) };
}

const NOTHING_KNOWN: KnownQuestions = { same: null, near: [] };
const NOTHING_ASKED: AskedAbout = { all: [], known: NOTHING_KNOWN };

const WITHOUT_ROWS: Readonly<Record<ReadableDatasource['state'], string>> = {
  pending: 'The datasource has no rows yet: its import is waiting to begin. Ask again when it is done.',
  running: 'The datasource has no rows yet: its import is running. Ask again when it is done.',
  failed: 'The datasource has no rows: its import failed. Its page says why.',
  ready: 'The datasource has no rows.',
};

const HOW_TO_ADD =
  'Add text, PDF or Word files (PUT /api/v1/secure/contextfiles); they can be asked about a moment later.';

function withoutFiles({ pending, failed }: { readonly pending: number; readonly failed: number }): string {
  if (pending > 0) return 'The context files are still being processed. Ask again in a moment.';
  if (failed > 0) return `None of the context files could be read; the list of them says why. ${HOW_TO_ADD}`;
  return `There are no context files yet. ${HOW_TO_ADD}`;
}
