import { lingui } from '@lingui/vite-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { linguiMacros } from './build/macros.js';
import { precompress } from './build/precompress.js';

// The service that `npm run dev` works on.
const SERVICE = process.env.SERVICE_URL ?? 'http://127.0.0.1:3000';

/** What every page is made of. As one file each it is asked for once, instead of a hundred small ones for a page. */
const COMMON = {
  groups: [
    {
      name: 'library',
      test: /node_modules[\\/](?:@mantine|@tanstack|@floating-ui|react|react-dom|scheduler)[\\/]/,
      minShareCount: 2,
    },
    { name: 'common', test: /web[\\/]src[\\/](?:app|shared|ui)[\\/]/, minShareCount: 2 },
  ],
};

export default defineConfig({
  plugins: [linguiMacros(), lingui({ failOnCompileError: true }), react(), precompress()],
  // The service puts another nonce in its place in each answer.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    ...{ target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false }, chunkSizeWarningLimit: 1500 },
    rolldownOptions: { output: { codeSplitting: COMMON } },
  },
  server: { proxy: { '/api': { target: SERVICE, ws: true }, '/docs': SERVICE, '/health': SERVICE } },
});
