import eslint from '@eslint/js';
import prettier from 'eslint-config-prettier';
import lingui from 'eslint-plugin-lingui';
import tseslint from 'typescript-eslint';

/** Texts that nobody reads, or that are the same in every language. */
const NO_WORDS = {
  useTsTypes: true,
  ignore: [
    // No letters at all; one word in small or in capital letters; an address, a time or a pattern.
    '^[^A-Za-z]*$',
    '^\\S*[a-z0-9.#$?=&()[\\]{}|-]$',
    '^[A-Z]{1,5}$',
    '^\\S*[0-9/%_:#=]\\S*$',
    // Patterns of times, units, styles and names.
    '%[A-Za-z]',
    '^(\\s|h|min|s)+$',
    '^(minmax\\(|[0-9.]+ [0-9.]+ )',
    '^(Data Analytics|Excel \\(XLSX\\)|Mac OS|macOS|yyyy-MM-dd HH:mm:ss)$',
  ],
  ignoreNames: ['className', 'style', 'fontFamily', 'fontFamilyMonospace'],
  ignoreFunctions: ['Error', '*.querySelector', '*.querySelectorAll'],
};

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'web/dist/',
      'client/src/schema.d.ts',
      'coverage/',
      'data/',
      'node_modules/',
      '*.config.js',
      '.dependency-cruiser.js',
    ],
  },
  eslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      'max-lines': ['error', { max: 500, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      '@typescript-eslint/max-params': ['error', { max: 5 }],
      complexity: ['error', { max: 12, variant: 'modified' }],
      'max-depth': ['error', 3],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      'no-restricted-properties': ['error', { object: 'process', property: 'env', message: 'Read AppConfig instead.' }],
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      // A wire class describes a shape for Swagger; answers are plain objects of that shape.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    // The one place that reads the environment.
    files: ['src/config/process-variables.ts'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    // A test's `describe` is a list, not a function; the rest of the limits hold there too.
    files: ['**/*.test.ts', 'test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      'max-lines-per-function': 'off',
      'no-restricted-properties': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    // Markup is long before it is complicated, and each part of it that is not always there counts as a branch; the other limits hold.
    files: ['web/**/*.tsx'],
    rules: {
      'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
      complexity: ['error', { max: 10, variant: 'modified' }],
    },
  },
  {
    // Query options are typed by what they ask for, which nobody can write out.
    files: ['web/**/*.ts', 'web/**/*.tsx'],
    rules: { '@typescript-eslint/explicit-module-boundary-types': 'off' },
  },
  {
    // Whatever people read in the console is there in each of its languages.
    files: ['web/src/**/*.ts', 'web/src/**/*.tsx'],
    plugins: { lingui },
    rules: {
      'lingui/no-unlocalized-strings': ['error', NO_WORDS],
      'lingui/t-call-in-function': 'error',
      'lingui/no-single-tag-to-translate': 'error',
      'lingui/no-single-variables-to-translate': 'error',
      'lingui/no-trans-inside-trans': 'error',
    },
  },
  {
    // Tables with a row for each route.
    files: ['test/api/matrix.rows.ts', 'test/e2e/schemas.calls.ts'],
    rules: { 'max-lines': 'off' },
  },
  {
    // Runs before the page, in the browser.
    files: ['web/public/*.js'],
    languageOptions: { globals: { document: 'readonly', localStorage: 'readonly', matchMedia: 'readonly' } },
  },
  {
    files: ['**/*.js'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'process',
          'console',
          'fetch',
          'URL',
          'FormData',
          'Blob',
          'Buffer',
          'performance',
          'setTimeout',
          'clearTimeout',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  prettier,
);
