import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';

export interface SignIn {
  readonly email: string;
  readonly password: string;
}

export interface Look {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: 'light' | 'dark';
  readonly timezone?: string;
  readonly locale?: string;
  /** Fingers besides the mouse. */
  readonly touch?: boolean;
}

interface Violation {
  readonly id: string;
  readonly impact?: string | null;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

interface Axe {
  readonly _audit: { readonly rules: readonly { readonly id: string; readonly impact?: string }[] };
  run(options: object): Promise<{ readonly violations: readonly Violation[] }>;
}

const WEIGHTS = ['serious', 'critical'];
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
let axe: Promise<string> | null = null;
const PATIENCE_MS = 45_000;
/** Where the console keeps who is signed in. */
const SESSION = 'data-analytics.session';
const FORGET = `{
  for (const key of Object.keys(localStorage)) if (key !== '${SESSION}') localStorage.removeItem(key);
  sessionStorage.clear();
}`;

/** What turns while one waits would be painted sixty times a second. */
const STILL = `{
  const still = new CSSStyleSheet();
  still.replaceSync('*, ::before, ::after { animation: none !important; }');
  document.adoptedStyleSheets.push(still);
}`;

/** Somebody at a browser, and everything there that went wrong unseen. */
export class Visitor implements AsyncDisposable {
  /** Console errors and warnings, exceptions, violations of the content security policy, answers of 500 and above. */
  readonly troubles: string[] = [];

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    private readonly url: string,
  ) {}

  static async arrive(browser: Browser, url: string, look: Look): Promise<Visitor> {
    const context = await browser.newContext({
      viewport: windowOf(look),
      colorScheme: look.scheme ?? 'light',
      locale: look.locale ?? 'en-GB',
      timezoneId: look.timezone ?? 'Europe/Berlin',
      reducedMotion: 'reduce',
      hasTouch: look.touch ?? false,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    await context.addInitScript(STILL);
    const page = await context.newPage();
    const visitor = new Visitor(context, page, url);
    visitor.listenTo(page);
    return visitor;
  }

  async open(path: string): Promise<void> {
    await this.page.goto(`${this.url}${path}`);
  }

  /** Comes to a page as by a link in the console, which is not loaded anew. */
  async goes(path: string): Promise<void> {
    await this.page.evaluate((to) => {
      const { history } = globalThis as unknown as {
        history: { pushState(state: null, unused: '', to: string): void };
      };
      history.pushState(null, '', to);
    }, path);
  }

  /** Opens a page with nothing left of what was done before, but the session. */
  async returns(path: string, look: Look): Promise<void> {
    await this.page.unrouteAll();
    await this.page.mouse.move(0, 0);
    // A test that failed may have left a page that has none.
    await this.page.evaluate(FORGET).catch(() => undefined);
    await this.appears(look);
    this.troubles.length = 0;
    await this.open(path);
  }

  /** The same page in another window, drawn anew. */
  async turns(look: Look): Promise<void> {
    await this.appears(look);
    await this.page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    await this.page.locator('[data-drawing=true]').first().waitFor({ state: 'detached' });
  }

  /** Fills in the form that is there. */
  async signIn({ email, password }: SignIn): Promise<void> {
    const form = this.page.locator('form').filter({ has: this.page.locator('input[name=password]') });
    const email$ = form.locator('input[name=email]');
    if (await email$.isEditable()) await email$.fill(email);
    await form.locator('input[name=password]').fill(password);
    await form.locator('button[type=submit]').click();
  }

  /** Resolves when somebody is signed in. */
  async isIn(): Promise<void> {
    const isKept = (): Promise<boolean> => this.page.evaluate(`localStorage.getItem('${SESSION}') !== null`);
    await eventually(isKept, (isIn) => isIn);
  }

  async signOut(): Promise<void> {
    await this.page.getByRole('button', { name: /^Account of/ }).click();
    await this.page.getByRole('menuitem', { name: 'Sign out' }).click();
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name });
  }

  /** Chooses in a list that opens. */
  async picks(list: string, option: string): Promise<void> {
    await this.page.getByRole('combobox', { name: list }).click();
    await this.page.getByRole('option', { name: option }).click();
  }

  /** Chooses in a menu that opens. */
  async menu(button: string | RegExp, item: string): Promise<void> {
    await this.button(button).click();
    await this.page.getByRole('menuitem', { name: item }).click();
  }

  async tab(name: string): Promise<void> {
    await this.page.getByRole('tab', { name, exact: true }).click();
  }

  /** The text of the file that comes of it. */
  async downloads(act: Promise<void>): Promise<string> {
    const [file] = await Promise.all([this.page.waitForEvent('download'), act]);
    return readFile(await file.path(), 'utf8');
  }

  /** The title of the page that is shown. */
  title(name: string | RegExp): Locator {
    return this.page.getByRole('heading', { level: 1, name });
  }

  /** Resolves when it is there. */
  async sees(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor();
  }

  async pastes(label: string, text: string): Promise<void> {
    await this.page.getByLabel(label, { exact: true }).fill(text);
  }

  /** A file of the disk, or one of that name with this in it. */
  async chooseFile(path: string, text?: string): Promise<void> {
    const made = { name: path, mimeType: 'application/octet-stream', buffer: Buffer.from(text ?? '') };
    await this.page.locator('input[type=file]').setInputFiles(text === undefined ? path : made);
  }

  /** What is wrong with the page as it is: barriers, and that it can be scrolled sideways. */
  async faults(): Promise<readonly string[]> {
    return [...(await this.barriers()), ...((await this.overflows()) ? ['can be scrolled sideways'] : [])];
  }

  /** What axe-core finds serious or worse, one sentence each. */
  async barriers(): Promise<readonly string[]> {
    axe ??= readFile(AXE, 'utf8');
    // Run by the debugger, which the page's policy does not bind.
    if (await this.page.evaluate<boolean>("typeof axe === 'undefined'")) await this.page.evaluate(await axe);
    const violations = await this.page.evaluate(async (weights) => {
      const { axe } = globalThis as unknown as { axe: Axe };
      // What a rule weighs, all that it finds weighs.
      const lighter = axe._audit.rules.filter(({ impact }) => impact !== undefined && !weights.includes(impact));
      const rules = Object.fromEntries(lighter.map(({ id }) => [id, { enabled: false }]));
      return (await axe.run({ resultTypes: ['violations'], rules })).violations;
    }, WEIGHTS);
    return violations
      .filter(({ impact }) => WEIGHTS.includes(impact ?? ''))
      .flatMap(({ id, help, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html} ${failureSummary ?? ''}`),
      );
  }

  /** The same in each of the windows. */
  async faultsIn(looks: readonly Look[]): Promise<readonly string[]> {
    const faults: string[] = [];
    for (const look of looks) {
      await this.turns(look);
      faults.push(...(await this.faults()).map((fault) => `${JSON.stringify(look)}: ${fault}`));
    }
    return faults;
  }

  /** Whether the page can be scrolled sideways, which nobody wants. */
  overflows(): Promise<boolean> {
    return this.page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.context.close();
  }

  private async appears(look: Look): Promise<void> {
    await this.page.setViewportSize(windowOf(look));
    await this.page.emulateMedia({ media: null, colorScheme: look.scheme ?? 'light' });
  }

  private listenTo(page: Page): void {
    page.on('console', (message) => {
      // A refused request is logged by the browser itself; whether it was meant to be is the test's affair.
      if (message.text().startsWith('Failed to load resource')) return;
      if (['error', 'warning'].includes(message.type())) this.troubles.push(`${message.type()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => this.troubles.push(`exception: ${error.message}`));
    page.on('response', (response) => {
      if (response.status() >= 500) this.troubles.push(`${String(response.status())}: ${response.url()}`);
    });
  }
}

function windowOf({ width = 1280, height = 900 }: Look): { width: number; height: number } {
  return { width, height };
}
