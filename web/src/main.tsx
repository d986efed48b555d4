import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './main.css';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.js';
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
focusMenuButtons();
createRoot(place).render(
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <App />
    </I18nProvider>
  </StrictMode>,
);

/** A button that waits is disabled, for which the browser takes the focus from it: it comes back, unless something else has it by then. */
function keepFocus(): void {
  let left: Element | null = null;
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      if (!(target instanceof HTMLButtonElement)) continue;
      if (target.disabled && target === document.activeElement) left = target;
      if (target.disabled || target !== left) continue;
      left = null;
      if (document.activeElement === document.body) target.focus({ preventScroll: true });
    }
  }).observe(document, { subtree: true, attributeFilter: ['disabled'] });
}

/** A dialog gives the focus back to what had it: the button of the menu that opened it, since the menu's items are gone by then. */
function focusMenuButtons(): void {
  const toButton = ({ target }: Event): void => {
    const menu = target instanceof Element ? target.closest('[role=menu]') : null;
    document.getElementById(menu?.getAttribute('aria-labelledby') ?? '')?.focus({ preventScroll: true });
  };
  document.addEventListener('click', toButton, { capture: true });
}
