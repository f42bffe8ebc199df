import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fastify from 'fastify';
import { build } from 'vite';
import type { Config } from '../../server/config/config.ts';
import { serveWeb } from '../../server/http/staticFiles.ts';

const FOLDER = join(import.meta.dirname, '..', '..', '.cache', 'bench-blank');

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Blank</title>
  </head>
  <body>
    <div id="root"></div>
    <script type="module" src="/main.js"></script>
  </body>
</html>
`;

const SCRIPT = `import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
createRoot(document.getElementById('root')).render(createElement('h1', null, 'Blank'));
`;

/** Serves a minimal React page, built and served in the same way as the product. */
export async function serveBlankPage(config: Config): Promise<{ url: string; close: () => Promise<void> }> {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, 'index.html'), PAGE);
  writeFileSync(join(FOLDER, 'main.js'), SCRIPT);
  const outDir = join(FOLDER, 'dist');
  const options = { outDir, emptyOutDir: true, target: 'es2023', modulePreload: { polyfill: false } };
  await build({ root: FOLDER, configFile: false, logLevel: 'error', build: options });
  const app = fastify();
  serveWeb(app, outDir, { config, now: () => new Date() });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url: `${url}/`, close: () => app.close() };
}
