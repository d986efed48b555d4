import { describe, expect, it } from 'vitest';
import { EMPTY_ANSWER } from '../../answering/answer-step.js';
import { asId, type ConversationId } from '../../shared/ids.js';
import { answerText } from './mcp-views.js';

const CONVERSATION = asId<ConversationId>('0123456789abcdef01234567');
const ROWS = Array.from({ length: 25 }, (_, n) => [`a|${n}\nb`, n === 0 ? null : n]);
const DATA = { columns: ['k', 'n'], rows: ROWS };

describe('an answer for a reader', () => {
  it('has the first figures in a table that no cell breaks', () => {
    const text = answerText(CONVERSATION, { ...EMPTY_ANSWER, response: 'So.', data: DATA });
    expect(text).toContain('So.\n\n| k | n |\n| --- | --- |\n| a\\|0 b |  |\n| a\\|1 b | 1 |');
    expect(text).toContain('The first 20 of 25 rows.');
    expect(text).not.toContain('Query:');
    expect(text).toContain(CONVERSATION);
  });
});
