import { expect, it } from 'vitest';
import { asId } from '../../shared/ids.js';
import { belongsIn, type Room } from './room.js';
import {
  CONVERSATION,
  DATASOURCE,
  MESSAGE,
  TASK,
  aChat,
  aDatasourceEvent,
  FILE_EVENT,
  SUGGESTIONS_EVENT,
  TASK_EVENT,
} from './stream.fixture.js';

const OTHER = '9'.repeat(24);

const EVENTS = {
  chat: aChat(1),
  suggestions: SUGGESTIONS_EVENT,
  datasource: aDatasourceEvent(),
  file: FILE_EVENT,
  task: TASK_EVENT,
};
const PRIVATE = ['chat', 'suggestions'];
const SHARED = ['datasource', 'file', 'task'];

it.each<[string, Room, string[]]>([
  ['with a label hears everything', { kind: 'everything' }, [...PRIVATE, ...SHARED]],
  ['of a user hears what concerns the user alone', { kind: 'user' }, PRIVATE],
  ['of a company hears what concerns all of it', { kind: 'company' }, SHARED],
  ['of a conversation hears its chats and suggestions', { kind: 'conversation', id: CONVERSATION }, PRIVATE],
  ['of another conversation does not', { kind: 'conversation', id: asId(OTHER) }, []],
  ['of a message hears it', { kind: 'message', id: MESSAGE }, ['chat']],
  ['of another message does not', { kind: 'message', id: asId(OTHER) }, []],
  ['of a datasource hears about it', { kind: 'datasource', id: DATASOURCE }, ['datasource']],
  ['of another datasource does not', { kind: 'datasource', id: asId(OTHER) }, []],
  ['of a task hears about it', { kind: 'task', id: TASK }, ['task']],
  ['of another task does not', { kind: 'task', id: asId(OTHER) }, []],
])('a room %s', (_, room, heard) => {
  const events = Object.entries(EVENTS);
  expect(events.filter(([, event]) => belongsIn(room, event)).map(([name]) => name)).toEqual(heard);
});
