import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { serveBootScript } from './scripts/vite/bootScript.ts';
import { CHUNK_GROUPS } from './scripts/vite/chunks.ts';
import { slimClientCalls } from './scripts/vite/clientCalls.ts';
import { serveCountryFlags } from './scripts/vite/countryFlags.ts';
import { cssModules } from './scripts/vite/cssModules.ts';
import { dropJsonSchema } from './scripts/vite/dropJsonSchema.ts';
import { prerenderScreens } from './scripts/vite/prerender.ts';
import { buildServiceWorker } from './scripts/vite/serviceWorker.ts';
import { wrapTexts } from './scripts/vite/textElements.ts';

export default defineConfig({
  plugins: [
    react(),
    wrapTexts(),
    serveCountryFlags(),
    prerenderScreens(),
    serveBootScript(),
    dropJsonSchema(),
    slimClientCalls(),
    buildServiceWorker(),
  ],
  base: '/',
  publicDir: 'web/public',
  css: cssModules,
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200,
    rolldownOptions: { output: { codeSplitting: { groups: CHUNK_GROUPS } } },
  },
});
