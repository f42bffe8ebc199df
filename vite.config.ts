import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import react from '@vitejs/plugin-react';
import { createServer, defineConfig, type Plugin } from 'vite';

const HERE = import.meta.dirname;
const FLAGS = join(HERE, 'node_modules/country-flag-icons/3x2');
const FLAG_ADDRESS = /^\/flags\/([A-Z-]{2,6}\.svg)$/;

/** Puts the country flags under /flags, one file each: a phone field needs one of them, from us and nobody else. */
function serveFlags(): Plugin {
  const names = readdirSync(FLAGS).filter((name) => name.endsWith('.svg'));
  return {
    name: 'rubadub:flags',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const name = FLAG_ADDRESS.exec(request.url ?? '')?.[1];
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

// The printed landing page and the bundle come from two runs of the compiler, which must agree on the names.
const css = {
  modules: {
    generateScopedName: (name: string, file: string) => {
      const path = relative(HERE, file.split('?')[0] ?? file);
      const mark = createHash('sha256').update(path).digest('base64url').slice(0, 4);
      return `${basename(path, '.module.css')}-${name}-${mark}`;
    },
  },
};

/** Prints the landing page into index.html, so that its words are there before any script. */
function printLanding(): Plugin {
  return {
    name: 'rubadub:landing',
    apply: 'build',
    async transformIndexHtml(html) {
      const server = await createServer({
        root: HERE,
        configFile: false,
        css,
        plugins: [react()],
        server: { middlewareMode: true, ws: false, watch: null },
        appType: 'custom',
        logLevel: 'error',
        optimizeDeps: { noDiscovery: true, include: [] },
      });
      try {
        const module = (await server.ssrLoadModule('/web/prerender.ts')) as { printLanding: () => string };
        return html.replace(
          '<div id="root"></div>',
          `<div id="root"><div data-printed>${module.printLanding()}</div></div>`,
        );
      } finally {
        await server.close();
      }
    },
  };
}

/** The letters are needed at once; without the hint they are asked for only when the styles have arrived. */
function preloadFont(): Plugin {
  return {
    name: 'rubadub:font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const file = Object.keys(bundle ?? {}).find((name) => /inter-latin-wght-normal.*\.woff2$/.test(name));
        if (!file) throw new Error('The font is not in the bundle');
        const attrs = { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: true };
        return [{ tag: 'link', attrs, injectTo: 'head-prepend' }];
      },
    },
  };
}

export default defineConfig({
  plugins: [react(), serveFlags(), printLanding(), preloadFont()],
  base: '/',
  publicDir: 'web/public',
  css,
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200,
  },
});
