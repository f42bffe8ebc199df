import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';
import { ROOT } from './root.ts';

// Excludes the map, which is larger than the rest of the app. It is cached on first use.
const MAX_PRECACHED_BYTES = 250_000;

/** The console needs the network, and the other roles do not load it. */
const isConsole = (name: string) => /^OperatorApp-/.test(name);

/** Builds web/worker/ into /sw.js, with the list of files to cache for offline use: the page's own and every screen. */
export function buildServiceWorker(): Plugin {
  return {
    name: 'rubadub:worker',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const html = readFileSync(join(dir, 'index.html'), 'utf8');
      const screens = readdirSync(join(dir, 'assets'))
        .filter((name) => /\.(js|css|woff2)$/.test(name) && !name.includes('latin-ext') && !isConsole(name))
        .filter((name) => html.includes(name) || statSync(join(dir, 'assets', name)).size < MAX_PRECACHED_BYTES)
        .map((name) => `/assets/${name}`);
      const unhashed = ['/boot.js', '/favicon.svg', '/manifest.webmanifest', '/icons/icon-192.png'];
      const hash = createHash('sha256').update(html).update(screens.join());
      for (const path of unhashed) hash.update(readFileSync(join(dir, path)));
      const built = await build({
        root: ROOT,
        configFile: false,
        publicDir: false,
        logLevel: 'error',
        define: {
          __FILES__: JSON.stringify(['/', ...unhashed, ...screens]),
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
      if (!chunk) throw new Error('The service worker was not built');
      writeFileSync(join(dir, 'sw.js'), chunk.code);
    },
  };
}
