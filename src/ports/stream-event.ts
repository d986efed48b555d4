import type {
  CompanyId,
  ConversationId,
  DatasourceId,
  FileId,
  MessageId,
  RunId,
  SessionId,
  TaskId,
  UserId,
} from '../shared/ids.js';
import type { JsonObject } from '../shared/json.js';
import type { AnalysisPlan } from './analysis-plan.js';
import type { AssistantAnswer } from './assistant-answer.js';
import type { NumberedTaskStep } from './task-step.js';

/** Concerns a whole company. */
interface CompanyEvent {
  readonly companyId: CompanyId;
  readonly at: Date;
}

/** Concerns one user. */
interface UserEvent extends CompanyEvent {
  readonly userId: UserId;
}

/** What happens to a streamed answer. Exactly one `chat-complete` or `chat-error` ends a message. */
export type ChatHappening =
  | { readonly type: 'chat-loading'; readonly step: string }
  | { readonly type: 'chat-chunk'; readonly chunk: string }
  | { readonly type: 'chat-visualization'; readonly visualization: string; readonly chart: JsonObject }
  | { readonly type: 'chat-complete'; readonly response: AssistantAnswer; readonly plan: AnalysisPlan | null }
  | { readonly type: 'chat-error'; readonly error: string };

/** `seq` is 1, 2, 3 … within the message, in order and without a gap. */
export type ChatEvent = ChatHappening &
  UserEvent & {
    readonly conversationId: ConversationId;
    readonly messageId: MessageId;
    readonly seq: number;
  };

export interface DatasourceEvent extends CompanyEvent {
  readonly type: 'datasource-updated';
  readonly datasourceId: DatasourceId;
  readonly action: 'progress' | 'updated' | 'failed' | 'deleted';
  readonly percent: number | null;
  readonly rows: number;
  readonly docCount: number;
  readonly rejected: number;
  readonly message: string;
}

/** A context file can be used now, or never will be. */
export interface ContextFileEvent extends CompanyEvent {
  readonly type: 'context-file-status';
  readonly fileId: FileId;
  readonly filename: string;
  readonly status: 'ready' | 'failed';
  /** Why it failed; empty when it is ready. */
  readonly reason: string;
}

/** `step` comes with the action `step` alone; after `updated` the run is over. */
export interface AgentTaskEvent extends CompanyEvent {
  readonly type: 'agent-task';
  readonly taskId: TaskId;
  readonly runId: RunId;
  readonly action: 'started' | 'step' | 'updated';
  readonly status: 'ready' | 'running' | 'error';
  readonly step: NumberedTaskStep | null;
}

/** A conversation has new suggestions. */
export interface SuggestionsEvent extends UserEvent {
  readonly type: 'suggestions-updated';
  readonly conversationId: ConversationId;
}

/** Never sent to a socket: closes those that hang on what has ended. */
export interface SessionEndedEvent extends UserEvent {
  readonly type: 'session-ended';
  /** `null`: all sessions of the user. */
  readonly sessionId: SessionId | null;
}

/** Everything that is told to sockets, on whatever instance they hang. */
export type StreamEvent =
  | ChatEvent
  | DatasourceEvent
  | ContextFileEvent
  | AgentTaskEvent
  | SuggestionsEvent
  | SessionEndedEvent;

/** Whether it is one user's affair, and not the whole company's. */
export function concernsOneUser(event: StreamEvent): event is ChatEvent | SuggestionsEvent | SessionEndedEvent {
  return 'userId' in event;
}

export function isChatEvent(event: StreamEvent): event is ChatEvent {
  return 'messageId' in event;
}
