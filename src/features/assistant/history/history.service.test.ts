import { describe, expect, it } from 'vitest';
import { EMPTY_ANSWER } from '../../../answering/answer-step.js';
import { turnsFrom } from './history.service.js';
import type { Message } from './message.schema.js';

const ID = '0'.repeat(24);

function aMessage(role: Message['role'], message: string, error: string | null = null): Message {
  const answer = { ...EMPTY_ANSWER, response: message, error };
  return {
    id: ID as Message['id'],
    companyId: ID as Message['companyId'],
    userId: ID as Message['userId'],
    conversationId: ID as Message['conversationId'],
    role,
    message,
    response: role === 'assistant' ? answer : null,
    plan: null,
    createdAt: new Date(0),
  };
}

describe('what a model is told of the conversation', () => {
  it('is each question with its answer', () => {
    const turns = turnsFrom([aMessage('user', 'a?'), aMessage('assistant', 'A'), aMessage('user', 'b?')]);
    expect(turns).toEqual([{ question: 'a?', answer: 'A', dbquery: '', plan: null }]);
  });

  it('leaves out what failed', () => {
    expect(turnsFrom([aMessage('user', 'a?'), aMessage('assistant', '', 'cut off')])).toEqual([]);
  });

  it('leaves out an answer whose question is too long ago to be there', () => {
    expect(turnsFrom([aMessage('assistant', 'A')])).toEqual([]);
  });
});
