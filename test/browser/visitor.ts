import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';

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

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const PATIENCE_MS = 45_000;

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
      viewport: { width: look.width ?? 1280, height: look.height ?? 900 },
      colorScheme: look.scheme ?? 'light',
      locale: look.locale ?? 'en-GB',
      timezoneId: look.timezone ?? 'Europe/Berlin',
      reducedMotion: 'reduce',
      hasTouch: look.touch ?? false,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const visitor = new Visitor(context, page, url);
    visitor.listenTo(page);
    return visitor;
  }

  async open(path: string): Promise<void> {
    await this.page.goto(`${this.url}${path}`);
  }

  /** Fills in the form that is there. */
  async signIn({ email, password }: SignIn): Promise<void> {
    const form = this.page.locator('form').filter({ has: this.page.locator('input[name=password]') });
    const email$ = form.locator('input[name=email]');
    if (await email$.isEditable()) await email$.fill(email);
    await form.locator('input[name=password]').fill(password);
    await form.locator('button[type=submit]').click();
  }

  async signOut(): Promise<void> {
    await this.page.getByRole('button', { name: /^Account of/ }).click();
    await this.page.getByRole('menuitem', { name: 'Sign out' }).click();
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name });
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

  async chooseFile(path: string): Promise<void> {
    await this.page.locator('input[type=file]').setInputFiles(path);
  }

  /** What axe-core finds serious or worse, one sentence each. */
  async barriers(): Promise<readonly string[]> {
    // Run by the debugger, which the page's policy does not bind.
    await this.page.evaluate(await readFile(AXE, 'utf8'));
    const violations = await this.page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } };
      return (await axe.run({ resultTypes: ['violations'] })).violations;
    });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, help, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html} ${failureSummary ?? ''}`),
      );
  }

  /** Whether the page can be scrolled sideways, which nobody wants. */
  overflows(): Promise<boolean> {
    return this.page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.context.close();
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
