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

const ANSWER: AssistantAnswer = {
  response: 'It rains **42 mm**.',
  query: 'sum of rain',
  dbquery: 'SELECT 42',
  visualization: 'chart.png',
  chart: { mark: 'bar' },
  data: { columns: ['rain'], rows: [[42]] },
  sources: [{ fileId: 'f1', filename: 'notes.pdf', page: 3, quote: 'rain' }],
  kind: 'answer',
  evidence: {
    rowsScanned: 100,
    rowsReturned: 1,
    timeRange: { from: '2024-01-01T00:00:00.000Z', to: '2024-02-01T00:00:00.000Z' },
    filters: ['location is Seattle'],
    queries: 1,
  },
  model: 'analyst',
  error: null,
};

const about = { message_id: MESSAGE, conversation_id: CONVERSATION };

describe('a frame', () => {
  it('names what a chat event is about, beside what happened, and when', () => {
    expect(frameOf(aChat(1, { type: 'chat-loading', step: 'reading the question' }))).toEqual({
      event: 'chat-loading',
      data: { ...about, seq: 1, step: 'reading the question' },
      at: '2026-01-02T03:04:05.678Z',
    });
    expect(frameOf(aChat(2))).toMatchObject({ event: 'chat-chunk', data: { ...about, seq: 2, chunk: 'chunk 2 ' } });
    expect(frameOf(aChat(3, { type: 'chat-error', error: 'no' })).data).toEqual({ ...about, seq: 3, error: 'no' });
    expect(
      frameOf(aChat(4, { type: 'chat-visualization', visualization: 'a.png', chart: { mark: 'bar' } })).data,
    ).toEqual({ ...about, seq: 4, visualization: 'a.png', chart: { mark: 'bar' } });
  });

  it('carries the whole answer at the end', () => {
    const frame = frameOf(aChat(9, { type: 'chat-complete', response: ANSWER, plan: null }));

    expect(frame.data).toEqual({
      ...about,
      seq: 9,
      response: {
        response: 'It rains **42 mm**.',
        query: 'sum of rain',
        dbquery: 'SELECT 42',
        visualization: 'chart.png',
        chart: { mark: 'bar' },
        data: { columns: ['rain'], rows: [[42]] },
        datasource_id: null,
        sources: [{ file_id: 'f1', filename: 'notes.pdf', page: 3, quote: 'rain' }],
        kind: 'answer',
        evidence: {
          rows_scanned: 100,
          rows_returned: 1,
          time_range: { from: '2024-01-01T00:00:00.000Z', to: '2024-02-01T00:00:00.000Z' },
          filters: ['location is Seattle'],
          queries: 1,
          joins: [],
          unverified: [],
        },
        understood: null,
        model: 'analyst',
      },
    });
  });

  it('says why an answer is not whole, and has null where there is nothing', () => {
    const response = { ...ANSWER, chart: null, data: null, error: 'stopped' };
    const { data } = frameOf(aChat(9, { type: 'chat-complete', response, plan: null }));
    expect(data).toMatchObject({ response: { chart: null, data: null, error: 'stopped' } });
  });

  it('tells of a datasource without its company', () => {
    expect(frameOf(aDatasourceEvent({ action: 'progress', percent: null }))).toEqual({
      event: 'datasource-updated',
      data: {
        datasource_id: DATASOURCE,
        action: 'progress',
        percent: null,
        rows: 10,
        doc_count: 8,
        rejected: 2,
        message: '',
      },
      at: '2026-01-02T03:04:05.678Z',
    });
  });

  it('tells of a context file, of suggestions and of a task', () => {
    expect(frameOf(aFileEvent()).data).toEqual({
      file_id: '4'.repeat(24),
      filename: 'a.pdf',
      status: 'ready',
      reason: '',
    });
    expect(frameOf(aSuggestionsEvent()).data).toEqual({ conversation_id: CONVERSATION });
    const task = { id: TASK, run_id: '8'.repeat(24) };
    expect(frameOf(aTaskEvent()).data).toEqual({ ...task, action: 'started', status: 'running', step: null });
  });

  it('carries a step of a task', () => {
    const at = new Date('2026-01-02T03:04:05.678Z');
    const step = {
      index: 2,
      type: 'query',
      title: 'average rain',
      content: '42',
      dbquery: 'SELECT 42',
      visualization: '',
      startedAt: at,
      finishedAt: at,
    } as const;
    expect(frameOf(aTaskEvent({ action: 'step', step })).data).toMatchObject({
      action: 'step',
      step: {
        index: 2,
        type: 'query',
        title: 'average rain',
        content: '42',
        dbquery: 'SELECT 42',
        visualization: '',
        started_at: at.toISOString(),
        finished_at: at.toISOString(),
      },
    });
  });

  it('is encoded as one JSON object', () => {
    expect(JSON.parse(encodeFrame(aChat(1)).toString())).toEqual(frameOf(aChat(1)));
  });
});
