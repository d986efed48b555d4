import { useEffect, useState } from 'react';
import { client } from '../../app/client.js';
import type { Answer } from './assistant.queries.js';

/** An answer that is being written. */
export interface LiveAnswer {
  /** The id of its message. */
  readonly _id: string;
  /** What was and is being done, in words. */
  readonly steps: readonly string[];
  readonly text: string;
  readonly chart: Answer['chart'];
  /** Null while it is being written. */
  readonly end: { readonly response: Answer } | { readonly error: string } | null;
}

const NOTHING: Omit<LiveAnswer, '_id'> = { steps: [], text: '', chart: null, end: null };

/** Follows an answer from its first word, also when it is joined late, and over broken connections. */
export function useLiveAnswer(messageId: string | null): LiveAnswer | null {
  const [live, setLive] = useState<LiveAnswer | null>(null);
  useEffect(() => {
    if (messageId === null) return;
    const change = (next: (answer: LiveAnswer) => LiveAnswer): void => {
      setLive((known) => next(known?._id === messageId ? known : { _id: messageId, ...NOTHING }));
    };
    const stream = client.stream(messageId, { until: messageId });
    stream.on('chat-loading', ({ step }) => {
      change((answer) => (answer.steps.at(-1) === step ? answer : { ...answer, steps: [...answer.steps, step] }));
    });
    stream.on('chat-chunk', ({ chunk }) => {
      change((answer) => ({ ...answer, text: answer.text + chunk }));
    });
    stream.on('chat-visualization', ({ chart }) => {
      change((answer) => ({ ...answer, chart }));
    });
    stream.on('chat-complete', ({ response }) => {
      change((answer) => ({ ...answer, end: { response } }));
    });
    stream.on('chat-error', ({ error }) => {
      change((answer) => ({ ...answer, end: { error } }));
    });
    return () => {
      stream.close();
    };
  }, [messageId]);
  if (messageId === null) return null;
  return live?._id === messageId ? live : { _id: messageId, ...NOTHING };
}
