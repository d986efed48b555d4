import { describe, expect, it } from 'vitest';
import type { AssistantAnswer } from '../../ports/assistant-answer.js';
import { encodeFrame, frameOf } from './frame.wire.js';
import {
  CONVERSATION,
  DATASOURCE,
  MESSAGE,
  TASK,
  aChat,
  aDatasourceEvent,
  aFileEvent,
  aSuggestionsEvent,
  aTaskEvent,
} from './stream.fixture.js';

/** What is called the same on the wire. */
const SAID = {
  response: 'It rains **42 mm**.',
  query: 'sum of rain',
  dbquery: 'SELECT 42',
  visualization: 'chart.png',
  chart: { mark: 'bar' },
  data: { columns: ['rain'], rows: [[42]] },
  kind: 'answer',
  model: 'analyst',
} as const;
const SOURCE = { filename: 'notes.pdf', page: 3, quote: 'rain' };
const RANGE = { from: '2024-01-01T00:00:00.000Z', to: '2024-02-01T00:00:00.000Z' };
const [FILTERS, AT] = [['location is Seattle'], '2026-01-02T03:04:05.678Z'];
const ANSWER: AssistantAnswer = {
  ...SAID,
  sources: [{ ...SOURCE, fileId: 'f1' }],
  evidence: { rowsScanned: 100, rowsReturned: 1, timeRange: RANGE, filters: FILTERS, queries: 1 },
  error: null,
};

const about = { message_id: MESSAGE, conversation_id: CONVERSATION };

describe('a frame', () => {
  it('names what a chat event is about, beside what happened, and when', () => {
    expect(frameOf(aChat(1, { type: 'chat-loading', step: 'reading the question' }))).toEqual({
      event: 'chat-loading',
      data: { ...about, seq: 1, step: 'reading the question' },
      at: AT,
    });
    expect(frameOf(aChat(2))).toMatchObject({ event: 'chat-chunk', data: { ...about, seq: 2, chunk: 'chunk 2 ' } });
    expect(frameOf(aChat(3, { type: 'chat-error', error: 'no' })).data).toEqual({ ...about, seq: 3, error: 'no' });
    const drawn = { visualization: 'a.png', chart: { mark: 'bar' } };
    expect(frameOf(aChat(4, { type: 'chat-visualization', ...drawn })).data).toEqual({ ...about, seq: 4, ...drawn });
    expect(JSON.parse(encodeFrame(aChat(1)).toString())).toEqual(frameOf(aChat(1)));
  });

  it('carries the whole answer at the end, says why one is not whole, and has null where there is nothing', () => {
    const complete = (response: AssistantAnswer): object =>
      frameOf(aChat(9, { type: 'chat-complete', response, plan: null })).data;
    const evidence = { rows_scanned: 100, rows_returned: 1, time_range: RANGE, filters: FILTERS, queries: 1 };
    expect(complete(ANSWER)).toEqual({
      ...about,
      seq: 9,
      response: {
        ...SAID,
        datasource_id: null,
        sources: [{ ...SOURCE, file_id: 'f1' }],
        evidence: { ...evidence, joins: [], unverified: [] },
        understood: null,
      },
    });
    const partial = { chart: null, data: null, error: 'stopped' };
    expect(complete({ ...ANSWER, ...partial })).toMatchObject({ response: partial });
  });

  it('tells of a datasource without its company, of a context file, of suggestions and of a task with its step', () => {
    const told = { action: 'progress', percent: null, rows: 10, rejected: 2, message: '' } as const;
    expect(frameOf(aDatasourceEvent(told))).toEqual({
      event: 'datasource-updated',
      data: { ...told, datasource_id: DATASOURCE, doc_count: 8 },
      at: AT,
    });
    const file = { filename: 'a.pdf', status: 'ready', reason: '' };
    expect(frameOf(aFileEvent()).data).toEqual({ ...file, file_id: '4'.repeat(24) });
    expect(frameOf(aSuggestionsEvent()).data).toEqual({ conversation_id: CONVERSATION });
    const task = { id: TASK, run_id: '8'.repeat(24), status: 'running' };
    expect(frameOf(aTaskEvent()).data).toEqual({ ...task, action: 'started', step: null });
    const done = {
      index: 2,
      type: 'query',
      title: 'rain',
      content: '42',
      dbquery: 'SELECT 42',
      visualization: '',
    } as const;
    const step = { ...done, startedAt: new Date(AT), finishedAt: new Date(AT) };
    expect(frameOf(aTaskEvent({ action: 'step', step })).data).toEqual({
      ...task,
      action: 'step',
      step: { ...done, started_at: AT, finished_at: AT },
    });
  });
});
