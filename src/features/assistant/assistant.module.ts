import { Module } from '@nestjs/common';
import { AnsweringModule } from '../../answering/answering.module.js';
import { BinModule } from '../bin/bin.module.js';
import { ContextFilesModule } from '../context-files/context-files.module.js';
import { DatasourceModule } from '../datasource/datasource.module.js';
import { ModelsModule } from '../models/models.module.js';
import { VerifiedModule } from '../verified/verified.module.js';
import { AssistantFacade } from './assistant.facade.js';
import { AnswerLedger } from './chat/answer-ledger.js';
import { AnswerRunner, AnswerWatch } from './chat/answer-runner.js';
import { ChatDoor } from './chat/chat-door.js';
import { ChatController, FeedbackController, VisualizationController } from './chat/chat.controller.js';
import { ChatService } from './chat/chat.service.js';
import { AskedTables, QuestionBuilder } from './chat/question-builder.js';
import { AnswerReconciler } from './chat/answer.reconciler.js';
import { StopService } from './chat/stop.service.js';
import {
  ConversationController,
  HistoryController,
  SuggestionsController,
} from './conversations/conversation.controller.js';
import { ConversationContents, ConversationRemover } from './conversations/conversation.remover.js';
import { ConversationRepository } from './conversations/conversation.repository.js';
import { ConversationService } from './conversations/conversation.service.js';
import { HistoryService } from './history/history.service.js';
import { MessageRepository } from './history/message.repository.js';
import { SuggestionsRefresher } from './suggestions/suggestions-refresher.js';
import { AskedQuestions, SuggestionsService } from './suggestions/suggestions.service.js';
import { TriedQuestions } from './suggestions/tried-questions.js';

@Module({
  imports: [AnsweringModule, BinModule, ContextFilesModule, DatasourceModule, ModelsModule, VerifiedModule],
  controllers: [
    ConversationController,
    HistoryController,
    ChatController,
    FeedbackController,
    SuggestionsController,
    VisualizationController,
  ],
  providers: [
    AnswerLedger,
    AnswerReconciler,
    AnswerRunner,
    AnswerWatch,
    AskedQuestions,
    AskedTables,
    AssistantFacade,
    ChatDoor,
    ChatService,
    ConversationContents,
    ConversationRemover,
    ConversationRepository,
    ConversationService,
    HistoryService,
    MessageRepository,
    QuestionBuilder,
    StopService,
    SuggestionsRefresher,
    SuggestionsService,
    TriedQuestions,
  ],
  exports: [AssistantFacade],
})
export class AssistantModule {}
