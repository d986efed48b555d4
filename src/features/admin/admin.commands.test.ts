import { describe, expect, it } from 'vitest';
import { runAdmin, type WithAdmin } from './admin.commands.js';

// prettier-ignore
const VERBS = [
  'company:create', 'company:list', 'settings:set', 'user:create', 'user:list', 'user:set-role', 'user:set-password',
  'user:activate', 'user:deactivate', 'eval:run', 'models:check',
];

const neverOpened: WithAdmin = () => Promise.reject(new Error('the store was opened'));

async function admin(
  args: readonly string[],
  withAdmin: WithAdmin = neverOpened,
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const heard = { out: '', err: '' };
  const code = await runAdmin(args, withAdmin, {
    out: (text) => (heard.out += text),
    err: (text) => (heard.err += text),
  });
  return { code, ...heard };
}

describe('the administration command', () => {
  it('lists its verbs with --help', async () => {
    const { code, out } = await admin(['--help']);
    expect(code).toBe(0);
    for (const verb of VERBS) expect(out).toContain(verb);
  });

  it.each(VERBS)('explains %s with --help, without opening the store', async (verb) => {
    const { code, out, err } = await admin([verb, '--help']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`Usage: admin ${verb}`);
    expect(out).toContain('--json');
  });

  it.each([
    [['company:create'], "required option '--name <name>' not specified"],
    [['company:create', '--name', 'Acme', '--colour', 'red'], "unknown option '--colour'"],
    [['company:drop'], "unknown command 'company:drop'"],
    [['settings:set', '--company', 'x', '--config', 'not json'], 'Config must be a JSON object'],
    [['settings:set', '--company', 'x', '--config', '[]'], 'Config must be a JSON object'],
  ])('says what is wrong with %j and exits with 1, without opening the store', async (args, problem) => {
    const { code, out, err } = await admin(args);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(problem);
  });

  it('prints a sentence for a person and one JSON line for a program', async () => {
    const listed: WithAdmin = () => Promise.resolve({ text: 'Two\nlines', record: [{ id: '1' }, { id: '2' }] });
    expect((await admin(['company:list'], listed)).out).toBe('Two\nlines\n');
    expect((await admin(['company:list', '--json'], listed)).out).toBe('[{"id":"1"},{"id":"2"}]\n');
  });
});
