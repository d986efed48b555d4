import { describe, expect, it } from 'vitest';
import { asId } from '../../shared/ids.js';
import { belongsIn, type Room } from './room.js';
import { CONVERSATION, DATASOURCE, MESSAGE, aChat, aDatasourceEvent } from './stream.builder.js';

const OTHER = '9'.repeat(24);

describe('a room', () => {
  it.each<[string, Room, { chat: boolean; datasource: boolean }]>([
    ['with a label hears everything', { kind: 'everything' }, { chat: true, datasource: true }],
    ['of a user hears what concerns the user alone', { kind: 'user' }, { chat: true, datasource: false }],
    ['of a company hears what concerns all of it', { kind: 'company' }, { chat: false, datasource: true }],
    [
      'of a conversation hears its chats',
      { kind: 'conversation', id: CONVERSATION },
      { chat: true, datasource: false },
    ],
    ['of another conversation does not', { kind: 'conversation', id: asId(OTHER) }, { chat: false, datasource: false }],
    ['of a message hears it', { kind: 'message', id: MESSAGE }, { chat: true, datasource: false }],
    ['of another message does not', { kind: 'message', id: asId(OTHER) }, { chat: false, datasource: false }],
    ['of a datasource hears about it', { kind: 'datasource', id: DATASOURCE }, { chat: false, datasource: true }],
    ['of another datasource does not', { kind: 'datasource', id: asId(OTHER) }, { chat: false, datasource: false }],
  ])('%s', (_, room, heard) => {
    expect({ chat: belongsIn(room, aChat(1)), datasource: belongsIn(room, aDatasourceEvent()) }).toEqual(heard);
  });
});
