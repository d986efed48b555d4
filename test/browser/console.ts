import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser } from 'playwright-core';
import { ServiceProcess } from '../support/service-process.js';
import { TestClient } from '../support/test-client.js';
import { chromiumPath } from './chromium.js';
import { Visitor, type Look, type SignIn } from './visitor.js';

const run = promisify(execFile);

/** The built service with its console, a browser, and a folder of their own. */
export class Console implements AsyncDisposable {
  private constructor(
    readonly service: ServiceProcess,
    private readonly browser: Browser,
    private readonly folder: string,
    /** A manager of the first company. */
    readonly manager: SignIn,
  ) {}

  static async start(environment: Readonly<Record<string, string>> = {}): Promise<Console> {
    if (!existsSync('web/dist/index.html')) throw new Error('the console is not built: run "npm run build" first');
    const folder = await mkdtemp(join(tmpdir(), 'das-browser-'));
    const manager = { email: 'ada@northwind.example', password: randomBytes(9).toString('hex') };
    const service = await ServiceProcess.start({
      DATA_DIR: folder,
      BOOTSTRAP_COMPANY: 'Northwind',
      BOOTSTRAP_EMAIL: manager.email,
      BOOTSTRAP_PASSWORD: manager.password,
      RATE_LIMIT: '0',
      LOGIN_RATE_LIMIT: '0',
      ...environment,
    });
    const browser = await chromium.launch({
      ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
      // Tests may run as root, in a container with little shared memory, and draw on processors alone.
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
    });
    return new Console(service, browser, folder, manager);
  }

  get url(): string {
    return this.service.url;
  }

  /** Somebody at a fresh browser, who has not signed in. */
  async visit(look: Look = {}): Promise<Visitor> {
    return Visitor.arrive(this.browser, this.url, look);
  }

  /** A manager of another company, made while the service runs. */
  async otherCompany(name: string): Promise<SignIn> {
    const { id } = await this.admin('company:create', '--name', name);
    return this.newUser(id, `bob@${name.toLowerCase()}.example`, 'manager');
  }

  /** A user of the first company who is no manager, made while the service runs. */
  async plainUser(email: string): Promise<SignIn> {
    const { companyId } = await TestClient.signIn(this.url, this.manager.email, this.manager.password);
    return this.newUser(companyId, email, 'user');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser.close();
    await this.service[Symbol.asyncDispose]();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async newUser(company: string, email: string, role: string): Promise<SignIn> {
    const password = randomBytes(9).toString('hex');
    const who = ['--company', company, '--email', email, '--role', role, '--password', password];
    await this.admin('user:create', ...who);
    return { email, password };
  }

  private async admin(...words: readonly string[]): Promise<{ readonly id: string }> {
    const { stdout } = await run(process.execPath, ['dist/admin.js', ...words, '--json'], {
      env: { PATH: process.env['PATH'], DATA_DIR: this.folder },
    });
    return JSON.parse(stdout) as { id: string };
  }
}
