import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './main.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.js';
import { styleNonce } from './app/theme.js';

// Where the library beneath dialogs looks for the nonce of the style element that keeps the page behind them still.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });

const place = document.getElementById('root');
if (place === null) throw new Error('the page has no #root');
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
