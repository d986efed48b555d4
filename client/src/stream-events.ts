import type { components } from './schema.js';

type Schemas = components['schemas'];

interface ChatSubject {
  readonly message_id: string;
  readonly conversation_id: string;
  /** 1, 2, 3 … within the message, in order and without a gap. */
  readonly seq: number;
}

/** What comes over the stream, by event: see `/docs/asyncapi.json`. */
export interface StreamEvents {
  'chat-loading': ChatSubject & { readonly step: string };
  'chat-chunk': ChatSubject & { readonly chunk: string };
  'chat-visualization': ChatSubject & {
    readonly visualization: string;
    readonly chart: Readonly<Record<string, unknown>>;
  };
  'chat-complete': ChatSubject & { readonly response: Schemas['AnswerView'] };
  'chat-error': ChatSubject & { readonly error: string };
  'datasource-updated': {
    readonly datasource_id: string;
    readonly action: 'progress' | 'updated' | 'failed' | 'deleted';
    readonly percent: number | null;
    readonly rows: number;
    readonly doc_count: number;
    readonly rejected: number;
    readonly message: string;
  };
  'context-file-status': {
    readonly file_id: string;
    readonly filename: string;
    readonly status: 'ready' | 'failed';
    readonly reason: string;
  };
  'agent-task': {
    readonly id: string;
    readonly run_id: string;
    readonly action: 'started' | 'step' | 'updated';
    readonly status: 'ready' | 'running' | 'error';
    readonly step: Schemas['TaskStepView'] | null;
  };
  'suggestions-updated': { readonly conversation_id: string };
}

export type StreamEventName = keyof StreamEvents;

/** One frame; `event` tells what `data` is. */
export type StreamFrame = {
  [Name in StreamEventName]: { readonly event: Name; readonly data: StreamEvents[Name]; readonly at: string };
}[StreamEventName];

/** The place of a frame in its answer; null when it is of no answer. */
export function placeOf(frame: StreamFrame): { readonly messageId: string; readonly seq: number } | null {
  return 'seq' in frame.data ? { messageId: frame.data.message_id, seq: frame.data.seq } : null;
}

export function endsMessage({ event }: StreamFrame): boolean {
  return event === 'chat-complete' || event === 'chat-error';
}
