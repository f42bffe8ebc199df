import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { serveBoot } from './scripts/vite/bootScript.ts';
import { CHUNKS } from './scripts/vite/chunks.ts';
import { serveFlags } from './scripts/vite/countryFlags.ts';
import { cssModules } from './scripts/vite/cssModules.ts';
import { dropJsonSchema } from './scripts/vite/dropJsonSchema.ts';
import { preloadFont } from './scripts/vite/preloadFont.ts';
import { printLanding } from './scripts/vite/prerenderLanding.ts';
import { buildWorker } from './scripts/vite/serviceWorker.ts';

export default defineConfig({
  plugins: [react(), serveFlags(), printLanding(), preloadFont(), serveBoot(), dropJsonSchema(), buildWorker()],
  base: '/',
  publicDir: 'web/public',
  css: cssModules,
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200,
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
  },
});
