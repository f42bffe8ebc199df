import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';
import { ROOT } from './root.ts';

// The map alone is more than the rest of the app, and draws nothing offline: it is kept when it is used.
const MAX_PRECACHED_BYTES = 250_000;

/**
 * Builds web/worker/ into /sw.js, with the list of the files that it keeps for a time without a network: what the page
 * itself asks for, and every screen.
 */
export function buildServiceWorker(): Plugin {
  return {
    name: 'rubadub:worker',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const html = readFileSync(join(dir, 'index.html'), 'utf8');
      const screens = readdirSync(join(dir, 'assets'))
        .filter((name) => /\.(js|css|woff2)$/.test(name) && !name.includes('latin-ext'))
        .filter((name) => html.includes(name) || statSync(join(dir, 'assets', name)).size < MAX_PRECACHED_BYTES)
        .map((name) => `/assets/${name}`);
      const named = ['/boot.js', '/favicon.svg', '/manifest.webmanifest', '/icons/icon-192.png'];
      const hash = createHash('sha256').update(html).update(screens.join());
      for (const path of named) hash.update(readFileSync(join(dir, path)));
      const built = await build({
        root: ROOT,
        configFile: false,
        publicDir: false,
        logLevel: 'error',
        define: {
          __FILES__: JSON.stringify(['/', ...named, ...screens]),
          __BUILD__: JSON.stringify(hash.digest('base64url').slice(0, 12)),
        },
        build: {
          write: false,
          target: 'es2023',
          rolldownOptions: { input: join(ROOT, 'web/worker/serviceWorker.ts'), output: { format: 'iife' } },
        },
      });
      const [result] = [built].flat();
      const chunk = result && 'output' in result ? result.output[0] : undefined;
      if (!chunk) throw new Error('The worker was not built');
      writeFileSync(join(dir, 'sw.js'), chunk.code);
    },
  };
}
