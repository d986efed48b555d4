import { lingui } from '@lingui/vite-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { linguiMacros } from './build/macros.js';
import { precompress } from './build/precompress.js';

// The service that `npm run dev` works on.
const SERVICE = process.env.SERVICE_URL ?? 'http://127.0.0.1:3000';

export default defineConfig({
  plugins: [linguiMacros(), lingui({ failOnCompileError: true }), react(), precompress()],
  // The service puts another nonce in its place in each answer.
  html: { cspNonce: '__CSP_NONCE__' },
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false }, chunkSizeWarningLimit: 1500 },
  server: { proxy: { '/api': { target: SERVICE, ws: true }, '/docs': SERVICE, '/health': SERVICE } },
});
