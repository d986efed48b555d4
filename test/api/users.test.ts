import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/test-api.js';
import { claimsOf } from './auth-world.js';

interface Listed {
  readonly id: string;
}

let service: TestApi;
beforeAll(async () => {
  service = await startTestApi({ environment: { LOGIN_RATE_LIMIT: '0' } });
});
afterAll(() => service[Symbol.asyncDispose]());

describe('the current user', () => {
  it('is who the token says, and nothing more', async () => {
    const api = service.anew();
    const ada = await api.signIn('acme', { role: 'manager', email: 'ada@acme.example' });

    expect((await ada.get('/secure/currentuser')).body).toEqual({
      error: false,
      message: 'current user',
      user: {
        id: ada.id,
        email: 'ada@acme.example',
        first_name: 'Test',
        last_name: 'User',
        company_id: ada.companyId,
        role: 'manager',
      },
    });
  });
});

describe('one user', () => {
  it('is shown whole to a manager of the same company, but never with a password', async () => {
    const api = service.anew();
    const [boss, ada] = [await api.signIn('acme', { role: 'manager' }), await api.signIn('acme')];
    const shown = await boss.get(`/secure/user/${ada.id.toUpperCase()}`);
    expect(shown).toMatchObject({
      status: 200,
      body: { error: false, message: 'user retrieved', user: ada.user! },
    });
    for (const { body } of [shown, await boss.get('/secure/user/list')])
      expect(JSON.stringify(body)).not.toMatch(/password|argon2/i);
  });

  it('of another company is there for the system, which lists its own alone', async () => {
    const api = service.anew();
    const ada = await api.signIn('acme');
    const system = await api.signIn('operations', { role: 'system' });
    expect(await system.get(`/secure/user/${ada.id}`)).toMatchObject({ status: 200, body: { user: { id: ada.id } } });
    expect(await system.get(`/secure/user/${'0'.repeat(24)}`)).toMatchObject({
      status: 404,
      body: { error: true, message: 'user not found' },
    });
    expect((await system.get('/secure/user/list')).body).toMatchObject({ total: 1, users: [{ id: system.id }] });
  });
});

describe('the list of users', () => {
  it("holds the caller's company, newest first, and says how many there are", async () => {
    const api = service.anew();
    const boss = await api.signIn('acme', { role: 'manager' });
    api.clock.advance(1000);
    const ada = await api.signIn('acme');
    await api.signIn('globex');
    const { status, body } = await boss.get('/secure/user/list');

    expect(status).toBe(200);
    expect(body).toMatchObject({ error: false, message: 'users retrieved', total: 2 });
    expect((body['users'] as Listed[]).map(({ id }) => id)).toEqual([ada.id, boss.id]);
    expect((body['users'] as object[])[0]).toEqual(ada.user);
  });

  it('comes in pages that hold everybody once, though all were made at the same moment', async () => {
    const api = service.anew();
    const boss = await api.signIn('acme', { role: 'manager' });
    const others = [
      await api.signIn('acme'),
      await api.signIn('acme'),
      await api.signIn('acme'),
      await api.signIn('acme'),
    ];
    const pages = await Promise.all([0, 1, 2].map((page) => boss.get(`/secure/user/list?page=${page}&page_size=2`)));
    const ids = pages.map(({ body }) => (body['users'] as Listed[]).map(({ id }) => id));

    expect(ids.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(ids.flat().sort()).toEqual([boss, ...others].map(({ id }) => id).sort());
    expect(pages.map(({ body }) => body['total'])).toEqual([5, 5, 5]);
  });
});

describe('the current company', () => {
  it('is the one of the token', async () => {
    const api = service.anew();
    const [ada, eve] = [await api.signIn('acme'), await api.signIn('globex')];
    const { status, body } = await ada.get('/secure/currentcompany');

    expect(status).toBe(200);
    expect(body).toEqual({
      error: false,
      message: 'company retrieved',
      company: {
        id: claimsOf(ada.token)['company_id'],
        name: 'acme',
        meta: {},
        is_active: true,
        created_at: expect.stringMatching(/Z$/) as string,
        updated_at: expect.stringMatching(/Z$/) as string,
        deleted_at: '0001-01-01T00:00:00Z',
      },
    });
    expect((await eve.get('/secure/currentcompany')).body).toMatchObject({ company: { name: 'globex' } });
  });
});
