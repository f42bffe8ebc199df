import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { ROOT } from './root.ts';

const FLAGS = join(ROOT, 'node_modules/country-flag-icons/3x2');
const FLAG_PATH = /^\/flags\/([A-Z-]{2,6}\.svg)$/;

/** Serves each country flag at /flags/XX.svg, so that a phone field loads one flag, and from our own server. */
export function serveCountryFlags(): Plugin {
  const names = readdirSync(FLAGS).filter((name) => name.endsWith('.svg'));
  return {
    name: 'rubadub:flags',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const name = FLAG_PATH.exec(request.url ?? '')?.[1];
        if (!name || !names.includes(name)) return next();
        response.setHeader('content-type', 'image/svg+xml').end(readFileSync(join(FLAGS, name)));
      });
    },
    generateBundle() {
      for (const name of names) {
        this.emitFile({ type: 'asset', fileName: `flags/${name}`, source: readFileSync(join(FLAGS, name)) });
      }
    },
  };
}
