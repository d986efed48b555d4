import { understoodOf } from '../../answering/understood.js';
import { answerView } from '../../http/answer.wire.js';
import type { FrameData } from '../../http/asyncapi.wire.js';
import { onWire } from '../../http/envelope.wire.js';
import { taskStepView } from '../../http/task-step.wire.js';
import type { ChatEvent, SessionEndedEvent, StreamEvent } from '../../ports/stream-event.js';

/** What sockets are told of; the end of a session only closes them. */
export type ToldEvent = Exclude<StreamEvent, SessionEndedEvent>;

/** The frame's bytes: made once for an event, and shared by all sockets that hear it. */
export function encodeFrame(event: ToldEvent): Buffer {
  return Buffer.from(JSON.stringify({ event: event.type, data: dataOf(event), at: event.at.toISOString() }));
}

/** Always names what it is about. */
export function dataOf(event: ToldEvent): FrameData[ToldEvent['type']] {
  switch (event.type) {
    case 'chat-loading':
      return { ...subjectOf(event), step: event.step };
    case 'chat-chunk':
      return { ...subjectOf(event), chunk: event.chunk };
    case 'chat-visualization':
      return { ...subjectOf(event), visualization: event.visualization, chart: event.chart };
    case 'chat-complete':
      return { ...subjectOf(event), response: answerView(event.response, understoodOf(event.plan, event.response)) };
    case 'chat-error':
      return { ...subjectOf(event), error: event.error };
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

function subjectOf(event: ChatEvent): Pick<FrameData['chat-chunk'], 'message_id' | 'conversation_id' | 'seq'> {
  return onWire(event, 'messageId', 'conversationId', 'seq');
}
