import { existsSync } from 'node:fs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser that tests may use; undefined: what needs one is skipped, and says so. */
export const chromiumPath = found();

function found(): string | undefined {
  const named = process.env['TEST_CHROMIUM'];
  const path = named !== undefined && named !== '' ? named : PLACES.find((place) => existsSync(place));
  if (path !== undefined) return path;
  const how = 'apt-get install chromium, or TEST_CHROMIUM=/path/to/it';
  if (process.env['TEST_REQUIRE_ALL'] === '1') {
    throw new Error(`TEST_REQUIRE_ALL is set, but there is no Chromium: ${how}`);
  }
  console.warn(`SKIPPED: the tests in a browser. To run them: ${how}`);
  return undefined;
}
