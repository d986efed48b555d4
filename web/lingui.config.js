import { formatter } from '@lingui/format-po';
import { defineConfig } from '@lingui/conf';

/** English stands in the sources; each other language has a file of its own. */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['de'],
  catalogs: [{ path: '<rootDir>/src/locales/{locale}', include: ['<rootDir>/src'] }],
  format: formatter({ origins: false, printPlaceholdersInComments: false }),
  orderBy: 'message',
});
