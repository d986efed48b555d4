import { describe, expect, it } from 'vitest';
import { addressFrom, wishFrom } from './upgrade-authenticator.js';

const ID = 'abcdef012345abcdef012345';
const wish = (rest: string): unknown => wishFrom(addressFrom(`/api/v1/stream/${rest}`));

describe('the address of a stream', () => {
  it('is a room, a token and what to go on with', () => {
    const address = addressFrom(`/api/v1/stream/desk?token=t&message_id=${ID}&after=7`);
    expect(address.query.get('token')).toBe('t');
    expect(wishFrom(address)).toEqual({ roomId: 'desk', messageId: ID, after: 7 });
  });

  it.each(['/', '/api/v1/stream', '/api/v1/stream/', '/api/v1/stream/a/b', '/api/v2/stream/a', '//', 'http://['])(
    'is not %s',
    (url) => {
      expect(() => addressFrom(url)).toThrow(expect.objectContaining({ kind: 'not_found' }) as Error);
    },
  );

  it('takes labels as they are and ids in either case', () => {
    expect(wish('My_desk-1')).toEqual({ roomId: 'My_desk-1', messageId: null, after: null });
    expect(wish(`${ID.toUpperCase()}?message_id=${ID.toUpperCase()}&after=0`)).toEqual({
      roomId: ID,
      messageId: ID,
      after: 0,
    });
  });

  it.each([
    ['a%20b', 'room_id'],
    ['a'.repeat(65), 'room_id'],
    ['desk?message_id=', 'message_id'],
    [`desk?message_id=${ID}&after=`, 'after'],
    [`desk?message_id=${ID}&after=-1`, 'after'],
    [`desk?message_id=${ID}&after=1e3`, 'after'],
    [`desk?message_id=${ID}&after=12345678901`, 'after'],
  ])('refuses %s and names %s', (rest, field) => {
    expect(() => wish(rest)).toThrow(
      expect.objectContaining({ kind: 'invalid_input', details: [expect.objectContaining({ field })] }) as Error,
    );
  });
});
