import type { JsonObject } from '../shared/json.js';
import type { StreamEvent } from '../ports/stream-event.js';
import { type AnswerView } from './answer.wire.js';
import { type TaskStepView } from './task-step.wire.js';

/** What every frame of an answer names. */
class ChatSubject {
  readonly message_id!: string;
  readonly conversation_id!: string;
  /** 1, 2, 3 … within the message, in order and without a gap. */
  readonly seq!: number;
}

/** What is being done for an answer. The first comes at once. */
export class ChatLoadingData extends ChatSubject {
  /** In words. */
  readonly step!: string;
}

/** A piece of an answer; the pieces in order are the answer exactly. */
export class ChatChunkData extends ChatSubject {
  readonly chunk!: string;
}

/** An answer has a chart. */
export class ChatVisualizationData extends ChatSubject {
  /** File name for `GET /api/v1/secure/assistant/visualizations/:filename`. */
  readonly visualization!: string;
  /** Vega-Lite specification with its data. */
  readonly chart!: JsonObject;
}

/** An answer is whole. Ends the message. */
export class ChatCompleteData extends ChatSubject {
  readonly response!: AnswerView;
}

/** An answer failed, or was stopped. Ends the message. */
export class ChatErrorData extends ChatSubject {
  readonly error!: string;
}

/** An import goes on (at most once a second), a datasource changed, or is gone. */
export class DatasourceUpdatedData {
  readonly datasource_id!: string;
  readonly action!: 'progress' | 'updated' | 'failed' | 'deleted';
  /** Of the import; null when it can't be told. */
  readonly percent!: number | null;
  /** Of the import so far. */
  readonly rows!: number;
  /** Rows of the datasource now. */
  readonly doc_count!: number;
  readonly rejected!: number;
  readonly message!: string;
}

/** A context file can be used now, or never will be. */
export class ContextFileStatusData {
  readonly file_id!: string;
  readonly filename!: string;
  readonly status!: 'ready' | 'failed';
  /** Why it failed; empty when it is ready. */
  readonly reason!: string;
}

/** A run of an agent task began, did a step, or is over. */
export class AgentTaskData {
  /** Of the task. */
  readonly id!: string;
  readonly run_id!: string;
  readonly action!: 'started' | 'step' | 'updated';
  /** Of the task. */
  readonly status!: 'ready' | 'running' | 'error';
  /** With the action `step` alone. */
  readonly step!: TaskStepView | null;
}

/** A conversation has new suggestions. */
export class SuggestionsUpdatedData {
  readonly conversation_id!: string;
}

export type ToldEventName = Exclude<StreamEvent['type'], 'session-ended'>;

/** The shape of `data` by event. An event that is added to the stream and not here does not compile. */
export const FRAME_DATA = {
  'chat-loading': ChatLoadingData,
  'chat-chunk': ChatChunkData,
  'chat-visualization': ChatVisualizationData,
  'chat-complete': ChatCompleteData,
  'chat-error': ChatErrorData,
  'datasource-updated': DatasourceUpdatedData,
  'context-file-status': ContextFileStatusData,
  'agent-task': AgentTaskData,
  'suggestions-updated': SuggestionsUpdatedData,
} satisfies Record<ToldEventName, new () => object>;

/** What a frame of each event carries. */
export type FrameData = { readonly [Name in ToldEventName]: InstanceType<(typeof FRAME_DATA)[Name]> };
