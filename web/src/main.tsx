import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './main.css';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.js';
import { keepFocus } from './app/keep-focus.js';
import { styleNonce } from './app/theme.js';
import { LANGUAGE, LOCALE } from './shared/language.js';

// Where the library beneath dialogs looks for the nonce of the style element that keeps the page behind them still.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });

const place = document.getElementById('root');
if (place === null) throw new Error('the page has no #root');
document.documentElement.lang = LANGUAGE;
if (LANGUAGE === 'de') {
  // Without its words the page is in English, which is better than none.
  const words = await import('./locales/de.po').catch(() => null);
  if (words !== null) i18n.loadAndActivate({ locale: LANGUAGE, locales: LOCALE, messages: words.messages });
}
keepFocus();
createRoot(place).render(
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <App />
    </I18nProvider>
  </StrictMode>,
);
