import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Operator } from '../support/operator.js';
import { ServiceProcess } from '../support/service-process.js';
import type { SignIn } from './visitor.js';

/** The built service with its console, in a folder of its own. */
export class House implements AsyncDisposable {
  private operator: Operator | null = null;
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
      ...{ DATA_DIR: folder, BOOTSTRAP_COMPANY: 'Northwind' },
      ...{ BOOTSTRAP_EMAIL: manager.email, BOOTSTRAP_PASSWORD: manager.password },
      ...{ RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0', ...environment },
    });
    return new House(service, folder, manager);
  }

  get url(): string {
    return this.service.url;
  }

  /** Made while the service runs: a company that has nothing yet, with its manager, whose address begins with the second name. */
  async company(name: string, manager: string): Promise<SignIn> {
    this.companies += 1;
    const email = `${manager}@${name.toLowerCase()}-${String(this.companies)}.example`;
    const password = aPassword();
    const { id } = await this.record('company:create', '--name', name);
    const user = ['--company', id, '--email', email, '--role', 'manager', '--password', password];
    await this.record('user:create', ...user);
    return { email, password };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.operator?.[Symbol.dispose]();
    await this.service[Symbol.asyncDispose]();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** What a command of the operator has made. */
  private async record(...args: readonly string[]): Promise<{ readonly id: string }> {
    this.operator ??= new Operator(this.folder);
    const { code, out, err } = await this.operator.run(...args, '--json');
    if (code !== 0) throw new Error(err);
    return JSON.parse(out) as { readonly id: string };
  }
}

export function aPassword(): string {
  return randomBytes(9).toString('hex');
}
