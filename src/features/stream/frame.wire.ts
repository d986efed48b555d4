import { understoodOf } from '../../answering/understood.js';
import { answerView } from '../../http/answer.wire.js';
import type { FrameData } from '../../http/asyncapi.wire.js';
import { onWire } from '../../http/envelope.wire.js';
import { taskStepView } from '../../http/task-step.wire.js';
import { isChatEvent, type ChatEvent, type SessionEndedEvent, type StreamEvent } from '../../ports/stream-event.js';

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
      return onWire(event, 'datasourceId', 'action', 'percent', 'rows', 'docCount', 'rejected', 'message');
    case 'context-file-status':
      return onWire(event, 'fileId', 'filename', 'status', 'reason');
    case 'agent-task':
      return {
        ...onWire(event, 'runId', 'action', 'status'),
        id: event.taskId,
        step: event.step && taskStepView(event.step),
      };
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
