import { chromium, type Browser } from 'playwright-core';
import { TestClient } from '../support/test-client.js';
import { chromiumPath } from './chromium.js';
import { aPassword, House } from './house.js';
import { wish } from './shared-house.js';
import { Visitor, type Look, type SignIn } from './visitor.js';

let running: Promise<Browser> | null = null;

/** One for all files of a process, with which it ends. */
export async function theBrowser(): Promise<Browser> {
  if (running !== null && !(await running).isConnected()) running = null;
  running ??= chromium.launch({
    ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
    // Tests may run as root, in a container with little shared memory, and draw on processors alone.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  });
  return running;
}

/** A company in the built service with its console, and those who visit it. */
export class Console implements AsyncDisposable {
  private readonly visitors: Visitor[] = [];
  private readonly residents = new Map<string, Visitor>();
  private users = 0;

  private constructor(
    readonly url: string,
    /** A manager of the company. */
    readonly manager: SignIn,
    /** Makes another one while the service runs, with its manager. */
    private readonly company: (name: string, manager: string) => Promise<SignIn>,
    private readonly end: () => Promise<void>,
  ) {}

  /** In a service of its own. */
  static async start(environment: Readonly<Record<string, string>> = {}): Promise<Console> {
    const house = await House.start(environment);
    const company = (name: string, manager: string): Promise<SignIn> => house.company(name, manager);
    return new Console(house.url, house.manager, company, () => house[Symbol.asyncDispose]());
  }

  /** In the service that the files of tests share. The company has nothing yet. */
  static async shared(): Promise<Console> {
    const { url, ...manager } = await wish({ company: 'Northwind', manager: 'ada' });
    const company = (name: string, other: string): Promise<SignIn> => wish({ company: name, manager: other });
    return new Console(url, manager, company, () => Promise.resolve());
  }

  /** Somebody at a fresh browser, who has not signed in. */
  async visit(look: Look = {}): Promise<Visitor> {
    const visitor = await Visitor.arrive(await theBrowser(), this.url, look);
    this.visitors.push(visitor);
    return visitor;
  }

  /** Who has signed in, at a page as it is when it is opened anew. They keep their one tab from test to test. */
  async at(path: string, look: Look = {}, who = this.manager): Promise<Visitor> {
    const key = JSON.stringify([who.email, look.locale, look.timezone, look.touch]);
    const resident = this.residents.get(key);
    if (resident !== undefined) {
      await resident.returns(path, look);
      return resident;
    }
    const visitor = await this.visit(look);
    await visitor.open(path);
    await visitor.signIn(who);
    await visitor.isIn();
    this.residents.set(key, visitor);
    return visitor;
  }

  /** Everything that went wrong unseen since this was asked last. */
  takeTroubles(): readonly string[] {
    return this.visitors.flatMap(({ troubles }) => troubles.splice(0));
  }

  /** A manager of another company. */
  otherCompany(name: string): Promise<SignIn> {
    return this.company(name, 'bob');
  }

  /** Somebody who is no manager, invited into the company. */
  async plainUser(name: string): Promise<SignIn> {
    const client = await TestClient.signIn(this.url, this.manager.email, this.manager.password);
    this.users += 1;
    const email = this.manager.email.replace(/^[^@]+/, `${name}-${String(this.users)}`);
    const { body } = await client.post('/secure/invitation', { email, role: 'user' });
    const password = aPassword();
    await client.post('/invitation/accept', { token: body['token'], password, first_name: name });
    return { email, password };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.visitors.map((visitor) => visitor[Symbol.asyncDispose]()));
    await this.end();
  }
}
