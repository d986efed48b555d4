import { describe, expect, it } from 'vitest';
import { runAdmin, type WithAdmin } from './admin.commands.js';

// prettier-ignore
const VERBS = [
  'company:create', 'company:list', 'settings:set', 'user:create', 'user:list', 'user:set-role', 'user:set-password',
  'user:activate', 'user:deactivate', 'eval:run', 'models:check',
];

const neverOpened: WithAdmin = () => Promise.reject(new Error('the store was opened'));

async function admin(args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const heard = { out: '', err: '' };
  const code = await runAdmin(args, neverOpened, {
    out: (text) => (heard.out += text),
    err: (text) => (heard.err += text),
  });
  return { code, ...heard };
}

describe('the administration command', () => {
  it('lists its verbs and explains each with --help, without opening the store', async () => {
    const { out: all } = await admin(['--help']);
    for (const verb of VERBS) {
      expect(all).toContain(verb);
      const explained = { code: 0, out: expect.stringContaining(`Usage: admin ${verb}`) as string, err: '' };
      expect(await admin([verb, '--help'])).toEqual(explained);
    }
  });

  it.each([
    [['company:create'], "required option '--name <name>' not specified"],
    [['company:drop'], "unknown command 'company:drop'"],
    [['settings:set', '--company', 'x', '--config', 'not json'], 'Config must be a JSON object'],
    [['settings:set', '--company', 'x', '--config', '[]'], 'Config must be a JSON object'],
  ])('says what is wrong with %j and exits with 1, without opening the store', async (args, problem) => {
    expect(await admin(args)).toEqual({ code: 1, out: '', err: expect.stringContaining(problem) as string });
  });
});
