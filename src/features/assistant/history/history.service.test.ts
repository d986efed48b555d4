import { expect, it } from 'vitest';
import { EMPTY_ANSWER } from '../../../answering/answer-step.js';
import { turnsFrom } from './history.service.js';
import type { Message } from './message.schema.js';

const asked = (message: string): Message => ({ role: 'user', message, response: null, plan: null }) as Message;
const answered = (message: string, error: string | null = null): Message =>
  ({ role: 'assistant', message, response: { ...EMPTY_ANSWER, response: message, error }, plan: null }) as Message;

it('a model is told each question with its answer, without what failed and answers whose question is too long ago', () => {
  const turns = [answered('too old'), asked('a?'), answered('A'), asked('b?'), answered('', 'cut off'), asked('c?')];
  expect(turnsFrom(turns)).toEqual([{ question: 'a?', answer: 'A', dbquery: '', plan: null }]);
});
