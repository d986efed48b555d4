import { Command, CommanderError } from 'commander';
import { EnvironmentError } from '../../config/environment.js';
import type { ModelCheck } from '../../ports/chat-models.js';
import { AppError, messageOf } from '../../shared/app-error.js';
import { capital } from '../../shared/number-words.js';
import { configFrom, type AdminService } from './admin.service.js';
import type { NewUserOptions, Outcome } from './admin.types.js';
import type { EvaluationCommand } from './evaluation-command.js';

/** Opens the store for one command and closes it again. Not called for `--help` or wrong options. */
export type WithAdmin = (act: Act) => Promise<Outcome>;

type Models = () => Promise<readonly ModelCheck[]>;
type Act = (admin: AdminService, evaluations: EvaluationCommand, models: Models) => Promise<Outcome>;

export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Runs one command and returns the exit code: 0, or 1 with a sentence on the error output that says why. */
export async function runAdmin(args: readonly string[], withAdmin: WithAdmin, terminal: Terminal): Promise<number> {
  try {
    let code = 0;
    const program = adminProgram(withAdmin, terminal, () => {
      code = 1;
    });
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    // The parser has told what it doesn't like; asking for help is no failure.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1;
    terminal.err(`${sentence(error)}\n`);
    return 1;
  }
}

function adminProgram(withAdmin: WithAdmin, terminal: Terminal, onBad: () => void): Command {
  const program = new Command('admin')
    .description(
      'Companies, users, settings, evaluations and models. Works while the service runs and while it does not.',
    )
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err });
  const verb: Verb = (name, description, actOf) =>
    program
      .command(name)
      .description(description)
      .option('--json', 'print the record as one JSON line')
      .action(async (options: Parameters<typeof actOf>[0] & { readonly json?: boolean }) => {
        const { text, record, isBad = false } = await withAdmin(actOf(options));
        if (isBad) onBad();
        terminal.out(`${options.json === true ? JSON.stringify(record) : text}\n`);
      });
  addCompanyVerbs(verb);
  addUserVerbs(verb);
  addAccountVerbs(verb);
  addOtherVerbs(verb);
  return program;
}

/** A command, and what is done with its options. */
type Verb = <T extends object>(name: string, description: string, actOf: (options: T) => Act) => Command;

function addCompanyVerbs(verb: Verb): void {
  verb<{ name: string }>('company:create', 'make a company with empty settings', ({ name }) => {
    return (admin) => admin.createCompany(name);
  }).requiredOption('--name <name>', 'what it is called');
  verb('company:list', 'list all companies', () => (admin) => admin.listCompanies());
  verb<{ company: string; config: string }>('settings:set', "replace a company's settings", (options) => {
    const config = configFrom(options.config);
    return (admin) => admin.setSettings(options.company, config);
  })
    .requiredOption('--company <id>', 'the company')
    .requiredOption('--config <json>', 'the settings, a JSON object');
}

function addUserVerbs(verb: Verb): void {
  verb<NewUserOptions>('user:create', 'make a user', (options) => (admin) => admin.createUser(options))
    .requiredOption('--company <id>', 'the company')
    .requiredOption('--email <email>', 'the address to sign in with')
    .requiredOption('--role <role>', 'user, manager or system')
    .option('--password <password>', 'at least 8 characters; generated and printed once when left out')
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name');
  verb('user:list', 'list the users of all companies', () => (admin) => admin.listUsers());
}

function addAccountVerbs(verb: Verb): void {
  const onUser: Verb = (name, description, actOf) =>
    verb(name, description, actOf).requiredOption('--email <email>', 'the user');
  onUser<{ email: string; role: string }>(
    'user:set-role',
    'give a user another role and end all their sessions',
    (options) => (admin) => admin.setRole(options.email, options.role),
  ).requiredOption('--role <role>', 'user, manager or system');
  onUser<{ email: string; password: string }>(
    'user:set-password',
    'give a user another password and end all their sessions',
    (options) => (admin) => admin.setPassword(options.email, options.password),
  ).requiredOption('--password <password>', 'at least 8 characters');
  onUser<{ email: string }>('user:activate', 'let a user sign in again', ({ email }) => {
    return (admin) => admin.activate(email);
  });
  onUser<{ email: string }>('user:deactivate', 'keep a user from signing in and end all their sessions', (options) => {
    return (admin) => admin.deactivate(options.email);
  });
}

function addOtherVerbs(verb: Verb): void {
  verb<{ datasource: string; model?: string }>(
    'eval:run',
    'ask the verified questions of a datasource; exit code 1 when one that was right is not right now',
    (options) => (_admin, evaluations) => evaluations.run(options.datasource, options.model ?? null),
  )
    .requiredOption('--datasource <id>', 'the datasource')
    .option('--model <name>', "a model to try; the company's own when left out");
  verb('models:check', 'ask the configured model small requests, and tell what it refuses', () => {
    return async (_admin, _evaluations, models) => checkedModels(await models());
  });
}

function checkedModels(checks: readonly ModelCheck[]): Outcome {
  const none = 'No model is configured; the built-in analyst answers.';
  return {
    text: checks.length === 0 ? none : checks.map(checkText).join('\n'),
    record: checks.map((check) => ({ id: check.model, ...check })),
    isBad: checks.some(({ problem }) => problem !== null),
  };
}

function checkText(check: ModelCheck): string {
  const { model, use, problem, ms } = check;
  const answered = problem === null ? 'answers' : `does not answer: ${problem}`;
  const facts = use === 'chat' ? chatFacts(check) : [];
  return [`${model} (${use}) ${answered}`, ...facts, `${ms} ms`].join('; ');
}

function chatFacts({ api, known, learned, tools, pieces, tokens }: Extract<ModelCheck, { use: 'chat' }>): string[] {
  return [
    api,
    `known to refuse: ${listed(known)}`,
    `refused now: ${listed(learned)}`,
    `tools: ${tools}`,
    `streamed in ${pieces} pieces`,
    `${tokens ?? 'uncounted'} tokens`,
  ];
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'nothing' : names.join(', ');
}

/** What an operator reads instead of a stack: the message, as a sentence. */
function sentence(error: unknown): string {
  const foreseen = error instanceof AppError || error instanceof EnvironmentError;
  const message = foreseen ? error.message : `It could not be done: ${messageOf(error)}`;
  const text = capital(message);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
