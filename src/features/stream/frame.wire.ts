import { understoodOf } from '../../answering/understood.js';
import { answerView } from '../../http/answer.wire.js';
import type { FrameData } from '../../http/asyncapi.wire.js';
import { taskStepView } from '../../http/task-step.wire.js';
import {
  isChatEvent,
  type AgentTaskEvent,
  type ChatEvent,
  type ContextFileEvent,
  type DatasourceEvent,
  type SessionEndedEvent,
  type StreamEvent,
} from '../../ports/stream-event.js';

/** What sockets are told of; the end of a session only closes them. */
export type ToldEvent = Exclude<StreamEvent, SessionEndedEvent>;

/** What a socket receives. `data` always names what it is about. */
export interface Frame {
  readonly event: ToldEvent['type'];
  readonly data: FrameData[ToldEvent['type']];
  /** ISO 8601. */
  readonly at: string;
}

export function frameOf(event: ToldEvent): Frame {
  return { event: event.type, data: dataOf(event), at: event.at.toISOString() };
}

function dataOf(event: ToldEvent): FrameData[ToldEvent['type']] {
  if (isChatEvent(event)) return chatData(event);
  switch (event.type) {
    case 'datasource-updated':
      return datasourceData(event);
    case 'context-file-status':
      return contextFileData(event);
    case 'agent-task':
      return agentTaskData(event);
    case 'suggestions-updated':
      return { conversation_id: event.conversationId };
  }
}

/** The frame's bytes: made once for an event, and shared by all sockets that hear it. */
export function encodeFrame(event: ToldEvent): Buffer {
  return Buffer.from(JSON.stringify(frameOf(event)));
}

function chatData(event: ChatEvent): FrameData[ChatEvent['type']] {
  const subject = { message_id: event.messageId, conversation_id: event.conversationId, seq: event.seq };
  switch (event.type) {
    case 'chat-loading':
      return { ...subject, step: event.step };
    case 'chat-chunk':
      return { ...subject, chunk: event.chunk };
    case 'chat-visualization':
      return { ...subject, visualization: event.visualization, chart: event.chart };
    case 'chat-complete':
      return { ...subject, response: answerView(event.response, understoodOf(event.plan, event.response)) };
    case 'chat-error':
      return { ...subject, error: event.error };
  }
}

function datasourceData(event: DatasourceEvent): FrameData['datasource-updated'] {
  const { datasourceId, action, percent, rows, docCount, rejected, message } = event;
  return { datasource_id: datasourceId, action, percent, rows, doc_count: docCount, rejected, message };
}

function contextFileData({ fileId, filename, status, reason }: ContextFileEvent): FrameData['context-file-status'] {
  return { file_id: fileId, filename, status, reason };
}

function agentTaskData({ taskId, runId, action, status, step }: AgentTaskEvent): FrameData['agent-task'] {
  return { id: taskId, run_id: runId, action, status, step: step === null ? null : taskStepView(step) };
}
