import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { TestClient } from '../support/test-client.js';
import { chromiumPath } from './chromium.js';
import { Console } from './console.js';
import { weatherIn } from './weather.builder.js';

/** What the tests of a file have, from before the first of them. */
export interface Scene {
  house: Console;
  /** The manager of the company, beside the browser. */
  client: TestClient;
  /** The sample, where it was wished for. */
  datasource: string;
}

interface Wishes {
  /** Something else that is needed is not there. */
  readonly skipped?: boolean;
  readonly weather?: boolean;
  /** A service of one's own instead of a company in the shared one. */
  readonly open?: () => Promise<Console>;
}

/** Tests in a browser, with a company of their own. What goes wrong unseen in one of them fails it. */
export function inConsole(
  what: string,
  { skipped = false, weather = false, open = () => Console.shared() }: Wishes,
  tests: (the: Scene) => void,
): void {
  describe.skipIf(skipped || chromiumPath === undefined)(what, () => {
    const the = {} as Scene;
    beforeAll(async () => {
      the.house = await open();
      const { url, manager } = the.house;
      the.client = await TestClient.signIn(url, manager.email, manager.password);
      if (weather) the.datasource = await weatherIn(the.client);
    });
    afterEach(() => {
      expect(the.house.takeTroubles()).toEqual([]);
    });
    afterAll(() => the.house[Symbol.asyncDispose]());
    tests(the);
  });
}
