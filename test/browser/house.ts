import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ServiceProcess } from '../support/service-process.js';
import type { SignIn } from './visitor.js';

const OPERATOR = fileURLToPath(new URL('operator.child.js', import.meta.url));

export interface NewUser {
  readonly company: string;
  readonly email: string;
  readonly role: 'user' | 'manager';
}

/** Makes companies and users while the service runs. */
export interface Register {
  /** A company that has nothing yet, with its manager, whose address begins with the second name. */
  company(name: string, manager: string): Promise<SignIn>;
  user(user: NewUser): Promise<SignIn>;
}

interface Reply {
  readonly id: number;
  readonly record: { readonly id: string };
  readonly error?: string;
}

/** The built service with its console, in a folder of its own. */
export class House implements AsyncDisposable, Register {
  private operator: Promise<ChildProcess> | null = null;
  private asked = 0;
  private companies = 1;

  private constructor(
    private readonly service: ServiceProcess,
    private readonly folder: string,
    /** The manager of Northwind, the first company. */
    readonly manager: SignIn,
  ) {}

  static async start(environment: Readonly<Record<string, string>> = {}): Promise<House> {
    if (!existsSync('web/dist/index.html')) throw new Error('the console is not built: run "npm run build" first');
    const folder = await mkdtemp(join(tmpdir(), 'das-browser-'));
    const manager = { email: 'ada@northwind.example', password: aPassword() };
    const service = await ServiceProcess.start({
      DATA_DIR: folder,
      BOOTSTRAP_COMPANY: 'Northwind',
      BOOTSTRAP_EMAIL: manager.email,
      BOOTSTRAP_PASSWORD: manager.password,
      RATE_LIMIT: '0',
      LOGIN_RATE_LIMIT: '0',
      ...environment,
    });
    return new House(service, folder, manager);
  }

  get url(): string {
    return this.service.url;
  }

  async company(name: string, manager: string): Promise<SignIn> {
    this.companies += 1;
    const email = `${manager}@${name.toLowerCase()}-${String(this.companies)}.example`;
    const { id: company } = await this.ask('createCompany', name);
    return this.user({ company, email, role: 'manager' });
  }

  async user(user: NewUser): Promise<SignIn> {
    const password = aPassword();
    await this.ask('createUser', { ...user, password });
    return { email: user.email, password };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing that it keeps is needed any more.
    (await this.operator)?.kill('SIGKILL');
    await this.service[Symbol.asyncDispose]();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async ask(verb: string, options: unknown): Promise<{ readonly id: string }> {
    this.operator ??= this.startOperator();
    const operator = await this.operator;
    this.asked += 1;
    const id = this.asked;
    return new Promise((resolve, reject) => {
      const hear = (reply: Reply): void => {
        if (reply.id !== id) return;
        operator.off('message', hear);
        if (reply.error === undefined) resolve(reply.record);
        else reject(new Error(reply.error));
      };
      operator.on('message', hear);
      operator.send({ id, verb, options });
    });
  }

  private async startOperator(): Promise<ChildProcess> {
    const env = { PATH: process.env['PATH'], DATA_DIR: this.folder };
    const operator = fork(OPERATOR, { env, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const ended = once(operator, 'exit').then(() => Promise.reject(new Error('the operator has ended')));
    ended.catch(() => undefined);
    await Promise.race([once(operator, 'message'), ended]);
    return operator;
  }
}

function aPassword(): string {
  return randomBytes(9).toString('hex');
}
