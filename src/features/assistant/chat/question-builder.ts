import { Injectable } from '@nestjs/common';
import { DEFAULT_STEPS, DEFAULT_TOOL_CALLS, type Question } from '../../../answering/question.js';
import { AppConfig } from '../../../config/app-config.js';
import { Clock } from '../../../ports/clock.js';
import { DatasourceFacade, type ReadableDatasource } from '../../datasource/datasource.facade.js';
import { HistoryService } from '../history/history.service.js';
import type { BegunAnswer } from './begun-answer.js';

/** A question that a model can be asked, or the sentence that says why there is nothing to ask. */
export type Askable =
  { readonly kind: 'question'; readonly question: Question } | { readonly kind: 'no_rows'; readonly why: string };

/** Gathers all that a model is told of a question: the table, its profile, and what was said before. */
@Injectable()
export class QuestionBuilder {
  constructor(
    private readonly datasources: DatasourceFacade,
    private readonly history: HistoryService,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  async build(begun: BegunAnswer): Promise<Askable> {
    const { conversation } = begun;
    const datasource = await this.datasources.get(conversation.companyId, conversation.datasourceId);
    const contextOnly = begun.contextOnly || conversation.contextOnly;
    if (!contextOnly && (datasource.table === null || datasource.profile === null)) {
      return { kind: 'no_rows', why: WITHOUT_ROWS[datasource.state] };
    }
    return { kind: 'question', question: await this.questionOf(begun, contextOnly ? null : datasource) };
  }

  private async questionOf(begun: BegunAnswer, datasource: ReadableDatasource | null): Promise<Question> {
    const { conversation, message } = begun;
    // The question itself is stored already; what came before it is the history.
    const turns = await this.history.turns(conversation);
    return {
      companyId: conversation.companyId,
      table: datasource?.table ?? null,
      briefing: {
        question: message,
        history: turns.slice(-10),
        table: tableBriefing(datasource),
        passages: [],
        now: this.clock.now(),
      },
      limits: {
        steps: DEFAULT_STEPS,
        toolCalls: DEFAULT_TOOL_CALLS,
        queryTimeoutMs: this.config.limits.queryTimeoutMs,
      },
    };
  }
}

function tableBriefing(datasource: ReadableDatasource | null): Question['briefing']['table'] {
  if (datasource?.profile === null || datasource === null) return null;
  return { name: datasource.name, context: datasource.context, profile: datasource.profile };
}

const WITHOUT_ROWS: Readonly<Record<ReadableDatasource['state'], string>> = {
  pending: 'The datasource has no rows yet: its import is waiting to begin. Ask again when it is done.',
  running: 'The datasource has no rows yet: its import is running. Ask again when it is done.',
  failed: 'The datasource has no rows: its import failed. Its page says why.',
  ready: 'The datasource has no rows.',
};
