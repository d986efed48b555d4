import { existsSync } from 'node:fs';

/** The shell, which has no windows to draw, takes three quarters of the time. */
const PLACES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
);

/** The browser that tests may use; undefined: what needs one is skipped, and says so. */
export const chromiumPath = found();

function found(): string | undefined {
  const named = process.env['TEST_CHROMIUM'];
  const path = named !== undefined && named !== '' ? named : PLACES.find((place) => existsSync(place));
  if (path !== undefined) return path;
  const how = 'apt-get install chromium-headless-shell, or TEST_CHROMIUM=/path/to/it';
  if (process.env['TEST_REQUIRE_ALL'] === '1') {
    throw new Error(`TEST_REQUIRE_ALL is set, but there is no Chromium: ${how}`);
  }
  console.warn(`SKIPPED: the tests in a browser. To run them: ${how}`);
  return undefined;
}
