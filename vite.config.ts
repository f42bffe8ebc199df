import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import react from '@vitejs/plugin-react';
import { build, createServer, defineConfig, type Plugin, type Rolldown } from 'vite';

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

const SHELL = ['web/shell/Shell.tsx', 'web/live/Live.tsx'];

// Where people arrive: what these routes need is asked for at once, and not when the first file has been read.
const ARRIVALS: Record<string, string[]> = {
  shell: SHELL,
  '/login': ['web/accounts/SignIn.tsx'],
  '/signup': ['web/accounts/SignUp.tsx'],
  '/bud/dashboard': [...SHELL, 'web/orders/BudDashboard.tsx'],
  '/scrub/dashboard': [...SHELL, 'web/orders/ScrubDashboard.tsx'],
  '/duber/dashboard': [...SHELL, 'web/deliveries/DuberDashboard.tsx'],
};

const BOOT = join(HERE, 'web/boot.js');
const FILES_UNKNOWN = 'globalThis.ROUTE_FILES ?? {}';

/** Puts web/boot.js at /boot.js; in a build it knows the files that each of ARRIVALS needs. */
function serveBoot(): Plugin {
  return {
    name: 'rubadub:boot',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        if (request.url !== '/boot.js') return next();
        response.setHeader('content-type', 'text/javascript').end(readFileSync(BOOT));
      });
    },
    generateBundle(_options, bundle) {
      const source = readFileSync(BOOT, 'utf8');
      if (!source.includes(FILES_UNKNOWN)) throw new Error('boot.js has no place for the files of the routes');
      const files = Object.entries(ARRIVALS).map(([path, modules]) => [path, filesOf(modules, bundle)]);
      const known = JSON.stringify(Object.fromEntries(files));
      this.emitFile({ type: 'asset', fileName: 'boot.js', source: source.replace(FILES_UNKNOWN, () => known) });
    },
  };
}

/** The addresses of all that some modules load, without what the page's first file brings in any case. */
function filesOf(modules: string[], bundle: Rolldown.OutputBundle): string[] {
  const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const reach = (chunk: Rolldown.OutputChunk | undefined, seen: Set<Rolldown.OutputChunk>) => {
    if (!chunk || seen.has(chunk)) return seen;
    seen.add(chunk);
    for (const file of chunk.imports) reach(byFile.get(file), seen);
    return seen;
  };
  const first = new Set<Rolldown.OutputChunk>();
  for (const chunk of chunks.filter(({ isEntry }) => isEntry)) reach(chunk, first);
  const needed = new Set<Rolldown.OutputChunk>();
  for (const module of modules) {
    const home = chunks.find(({ moduleIds }) => moduleIds.includes(join(HERE, module)));
    if (!home) throw new Error(`${module} is in no file of the build`);
    reach(home, needed);
  }
  const own = [...needed].filter((chunk) => !first.has(chunk));
  const styles = own.flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]);
  return [...new Set([...own.map(({ fileName }) => fileName), ...styles])].map((file) => `/${file}`);
}

const UNUSED_OF_ZOD = /\/zod\/v4\/core\/(json-schema-processors|json-schema-generator|to-json-schema)\.js$/;

/** Leaves zod's printing of JSON Schemas out of the page: 6 kB after gzip, which only the server's documents need. */
function dropJsonSchema(): Plugin {
  return {
    name: 'rubadub:no-json-schema',
    apply: 'build',
    load(id) {
      if (!UNUSED_OF_ZOD.test(id)) return null;
      const names = readFileSync(id, 'utf8').matchAll(/^export (?:const|function|class) (\w+)/gm);
      const refuse = "const refuse = () => () => { throw new Error('JSON Schema is left out of the page'); };";
      return `${refuse} export { ${[...names].map(([, name]) => `refuse as ${name}`).join(', ')} };`;
    },
  };
}

// The map alone is more than the rest of the app, and draws nothing offline: it is kept when it is used.
const KEPT_AT_MOST = 250_000;

/**
 * Builds web/worker/ into /sw.js, with the list of the files that it keeps for a time without a network: what the page
 * itself asks for, and every screen.
 */
function buildWorker(): Plugin {
  return {
    name: 'rubadub:worker',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const html = readFileSync(join(dir, 'index.html'), 'utf8');
      const screens = readdirSync(join(dir, 'assets'))
        .filter((name) => /\.(js|css|woff2)$/.test(name) && !name.includes('latin-ext'))
        .filter((name) => html.includes(name) || statSync(join(dir, 'assets', name)).size < KEPT_AT_MOST)
        .map((name) => `/assets/${name}`);
      const named = ['/boot.js', '/favicon.svg', '/manifest.webmanifest', '/icons/icon-192.png'];
      const hash = createHash('sha256').update(html).update(screens.join());
      for (const path of named) hash.update(readFileSync(join(dir, path)));
      const built = await build({
        root: HERE,
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
          rolldownOptions: { input: join(HERE, 'web/worker/worker.ts'), output: { format: 'iife' } },
        },
      });
      const [result] = [built].flat();
      const chunk = result && 'output' in result ? result.output[0] : undefined;
      if (!chunk) throw new Error('The worker was not built');
      writeFileSync(join(dir, 'sw.js'), chunk.code);
    },
  };
}

const DOOR = /Button|Loader|Input|PasswordField|parts\/form|AuthPage|PageHead|ActionIcon|parts\/title/;
const ON_FEW_SCREENS = /maplibre|react-map-gl|phone/;

// Left alone, a dashboard is 44 files of which most are tiny: slower on a phone, and 6 kB more, than these few.
const FILES = [
  { name: 'libraries', tags: ['$initial' as const], test: /node_modules/, priority: 4 },
  { name: 'first', tags: ['$initial' as const], priority: 3 },
  { name: 'door', test: DOOR, minShareCount: 4, priority: 2 },
  { name: 'common', test: (id: string) => !ON_FEW_SCREENS.test(id), minShareCount: 7, priority: 1 },
];

export default defineConfig({
  plugins: [react(), serveFlags(), printLanding(), preloadFont(), serveBoot(), dropJsonSchema(), buildWorker()],
  base: '/',
  publicDir: 'web/public',
  css,
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200,
    rolldownOptions: { output: { codeSplitting: { groups: FILES } } },
  },
});
