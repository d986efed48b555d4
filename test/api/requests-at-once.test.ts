import { setTimeout } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { SessionsService } from '../../src/features/auth/sessions.service.js';
import { startTestApi } from '../support/test-api.js';

it('takes nobody for somebody else whose request is looked at in the same moment', async () => {
  await using api = await startTestApi();
  const [ada, ben] = [await api.signIn('northwind'), await api.signIn('contoso')];
  const stranger = api.stranger();
  for (const sessions of api.everywhere(SessionsService)) slowed(sessions);

  const asked = Array.from({ length: 30 }, async (_, n) => {
    const client = [ada, ben, stranger][n % 3]!;
    const { status, body } = await client.get('/secure/currentuser');
    return [status, (body['user'] as { id?: string } | undefined)?.id];
  });
  const expected = [
    [200, ada.id],
    [200, ben.id],
    [401, undefined],
  ];
  expect(await Promise.all(asked)).toEqual(Array.from({ length: 30 }, (_, n) => expected[n % 3]));
});

/** Who asks first is found out last. */
function slowed(sessions: SessionsService): void {
  const require = sessions.require.bind(sessions);
  let wait = 60;
  vi.spyOn(sessions, 'require').mockImplementation(async (claims) => {
    wait = Math.max(0, wait - 2);
    await setTimeout(wait);
    return require(claims);
  });
}
