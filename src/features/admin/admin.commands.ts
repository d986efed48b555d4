import { Command, CommanderError } from 'commander';
import { EnvironmentError } from '../../config/environment.js';
import type { ModelCheck } from '../../ports/chat-models.js';
import { AppError, messageOf } from '../../shared/app-error.js';
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

interface OutputOptions {
  readonly json?: boolean;
}
interface EmailOptions extends OutputOptions {
  readonly email: string;
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
  const verb = (name: string, description: string): Command =>
    program.command(name).description(description).option('--json', 'print the record as one JSON line');
  const print = async (options: OutputOptions, act: Act): Promise<void> => {
    const { text, record, isBad = false } = await withAdmin(act);
    if (isBad) onBad();
    terminal.out(`${options.json === true ? JSON.stringify(record) : text}\n`);
  };
  addCompanyVerbs(verb, print);
  addUserVerbs(verb, print);
  addAccountVerbs(verb, print);
  addEvaluationVerbs(verb, print);
  addModelVerbs(verb, print);
  return program;
}

type Verb = (name: string, description: string) => Command;
type Print = (options: OutputOptions, act: Act) => Promise<void>;

function addCompanyVerbs(verb: Verb, print: Print): void {
  verb('company:create', 'make a company with empty settings')
    .requiredOption('--name <name>', 'what it is called')
    .action((options: OutputOptions & { name: string }) =>
      print(options, (admin) => admin.createCompany(options.name)),
    );
  verb('company:list', 'list all companies').action((options: OutputOptions) =>
    print(options, (admin) => admin.listCompanies()),
  );
  verb('settings:set', "replace a company's settings")
    .requiredOption('--company <id>', 'the company')
    .requiredOption('--config <json>', 'the settings, a JSON object')
    .action((options: OutputOptions & { company: string; config: string }) => {
      const config = configFrom(options.config);
      return print(options, (admin) => admin.setSettings(options.company, config));
    });
}

function addUserVerbs(verb: Verb, print: Print): void {
  verb('user:create', 'make a user')
    .requiredOption('--company <id>', 'the company')
    .requiredOption('--email <email>', 'the address to sign in with')
    .requiredOption('--role <role>', 'user, manager or system')
    .option('--password <password>', 'at least 8 characters; generated and printed once when left out')
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name')
    .action((options: OutputOptions & NewUserOptions) => print(options, (admin) => admin.createUser(options)));
  verb('user:list', 'list the users of all companies').action((options: OutputOptions) =>
    print(options, (admin) => admin.listUsers()),
  );
}

function addAccountVerbs(verb: Verb, print: Print): void {
  const onUser = (name: string, description: string): Command =>
    verb(name, description).requiredOption('--email <email>', 'the user');
  onUser('user:set-role', 'give a user another role and end all their sessions')
    .requiredOption('--role <role>', 'user, manager or system')
    .action((options: EmailOptions & { role: string }) =>
      print(options, (admin) => admin.setRole(options.email, options.role)),
    );
  onUser('user:set-password', 'give a user another password and end all their sessions')
    .requiredOption('--password <password>', 'at least 8 characters')
    .action((options: EmailOptions & { password: string }) =>
      print(options, (admin) => admin.setPassword(options.email, options.password)),
    );
  onUser('user:activate', 'let a user sign in again').action((options: EmailOptions) =>
    print(options, (admin) => admin.activate(options.email)),
  );
  onUser('user:deactivate', 'keep a user from signing in and end all their sessions').action((options: EmailOptions) =>
    print(options, (admin) => admin.deactivate(options.email)),
  );
}

function addEvaluationVerbs(verb: Verb, print: Print): void {
  verb('eval:run', 'ask the verified questions of a datasource; exit code 1 when one that was right is not right now')
    .requiredOption('--datasource <id>', 'the datasource')
    .option('--model <name>', "a model to try; the company's own when left out")
    .action((options: OutputOptions & { datasource: string; model?: string }) =>
      print(options, (_admin, evaluations) => evaluations.run(options.datasource, options.model ?? null)),
    );
}

function addModelVerbs(verb: Verb, print: Print): void {
  verb('models:check', 'ask the configured model small requests, and tell what it refuses').action(
    (options: OutputOptions) => print(options, async (_admin, _evaluations, models) => checkedModels(await models())),
  );
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
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
