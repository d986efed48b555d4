import { expect, it } from 'vitest';
import type { AssistantAnswer } from '../../ports/assistant-answer.js';
import { dataOf } from './frame.wire.js';
import { CONVERSATION, MESSAGE, aChat } from './stream.fixture.js';

/** What is called the same on the wire. */
const SAID = {
  ...{ response: 'It rains **42 mm**.', query: 'sum of rain', dbquery: 'SELECT 42', visualization: 'chart.png' },
  ...({ chart: { mark: 'bar' }, data: { columns: ['rain'], rows: [[42]] }, kind: 'answer', model: 'analyst' } as const),
};
const SOURCE = { filename: 'notes.pdf', page: 3, quote: 'rain' };
const RANGE = { from: '2024-01-01T00:00:00.000Z', to: '2024-02-01T00:00:00.000Z' };
const FILTERS = ['location is Seattle'];
const ANSWER: AssistantAnswer = {
  ...SAID,
  sources: [{ ...SOURCE, fileId: 'f1' }],
  evidence: { rowsScanned: 100, rowsReturned: 1, timeRange: RANGE, filters: FILTERS, queries: 1 },
  error: null,
};

it('a frame carries the whole answer at the end, says why one is not whole, and has null where there is nothing', () => {
  const complete = (response: AssistantAnswer): object =>
    dataOf(aChat(9, { type: 'chat-complete', response, plan: null }));
  const evidence = { rows_scanned: 100, rows_returned: 1, time_range: RANGE, filters: FILTERS, queries: 1 };
  expect(complete(ANSWER)).toEqual({
    message_id: MESSAGE,
    conversation_id: CONVERSATION,
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
