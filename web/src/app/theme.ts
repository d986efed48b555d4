import { t } from '@lingui/core/macro';
import {
  createTheme,
  localStorageColorSchemeManager,
  type CSSVariablesResolver,
  type MantineColorsTuple,
} from '@mantine/core';
import { signOf } from '../shared/format.js';

const ACCENT: MantineColorsTuple = [
  '#eef1fd',
  '#dbe1f9',
  '#b6c1f2',
  '#8f9fea',
  '#6c81e3',
  '#566de0',
  '#4a62dc',
  '#3b51c4',
  '#3247b0',
  '#273c9c',
];

/** Greys with a little blue, from text to the ground. */
const DARK: MantineColorsTuple = [
  '#dfe3ea',
  '#c3c9d4',
  '#a0a8b6',
  '#7d8695',
  '#3a404c',
  '#2d323c',
  '#23272f',
  '#1c1f26',
  '#14161b',
  '#0e1013',
];

/** Dark enough to be read on the canvas. */
const RED: MantineColorsTuple = [
  '#fff5f5',
  '#ffe3e3',
  '#ffc9c9',
  '#ffa8a8',
  '#ff8787',
  '#f0605f',
  '#e03131',
  '#c92a2a',
  '#b02525',
  '#921d1d',
];

/** One accent colour, the system's own typeface, and the same few sizes everywhere. Made when the reader's language is known. */
export function themeOf() {
  return createTheme({
    primaryColor: 'accent',
    primaryShade: { light: 7, dark: 5 },
    colors: { accent: ACCENT, dark: DARK, red: RED },
    autoContrast: true,
    // White on the light red of the dark scheme would be too weak.
    luminanceThreshold: 0.25,
    fontFamily:
      'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", sans-serif',
    fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
    headings: {
      fontWeight: '600',
      sizes: { h1: { fontSize: '1.5rem', lineHeight: '1.3' }, h2: { fontSize: '1.125rem', lineHeight: '1.4' } },
    },
    defaultRadius: 'md',
    cursorType: 'pointer',
    focusRing: 'auto',
    respectReducedMotion: true,
    components: {
      Badge: { defaultProps: { variant: 'light', tt: 'none', fw: 500 } },
      CloseButton: { defaultProps: { 'aria-label': t`Close` } },
      NumberInput: { defaultProps: { decimalSeparator: signOf('decimal') } },
      // What is wider or longer than its place is reached by the keyboard too.
      TableScrollContainer: { defaultProps: { scrollAreaProps: { viewportProps: { tabIndex: 0 } } } },
      Tooltip: { defaultProps: { withArrow: true, openDelay: 300, multiline: true } },
    },
  });
}

/** The tokens of `main.css` that the library's own parts use too. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5b6472',
    '--mantine-color-text': '#1a1d24',
    '--mantine-color-placeholder': '#6b7382',
  },
  dark: {
    '--mantine-color-dimmed': '#a0a8b6',
    '--mantine-color-placeholder': '#8a93a3',
    // The library's own are nearly black here, and darker than what they lie on.
    '--mantine-color-gray-light': '#2d323c',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-red-outline': '#f0605f',
    // White is read on them; on the shade of the texts it is not.
    '--mantine-color-red-filled': '#e03131',
    '--mantine-color-red-filled-hover': '#c92a2a',
    '--mantine-color-accent-light': '#252c4a',
    '--mantine-color-accent-light-hover': '#2c3559',
    '--mantine-color-accent-light-color': '#b6c1f2',
  },
});

export const schemeManager = localStorageColorSchemeManager({ key: 'data-analytics.scheme' });

/** The page's nonce, without which the browser takes no style element. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
}
