import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import type { Call } from '../../contract/call.ts';
import { buildUrl } from '../../contract/callClient.ts';
import { budDashboard, duberDashboard, scrubDashboard } from '../../contract/dashboards.ts';
import { readOrder } from '../../contract/orders.ts';
import {
  BUD_DASHBOARD_FIELDS,
  DUBER_DASHBOARD_FIELDS,
  FIRST_OFFERS,
  SCRUB_DASHBOARD_FIELDS,
} from '../../contract/screenFields.ts';
import { ROOT } from './root.ts';

const SHELL_MODULES = ['web/shell/Shell.tsx'];

// The entry routes. Their files are preloaded at once instead of after the entry chunk has run.
const PRELOADED_ROUTES: Record<string, string[]> = {
  shell: SHELL_MODULES,
  '/': ['web/pages/Landing.tsx'],
  '/login': ['web/accounts/SignIn.tsx'],
  '/signup': ['web/accounts/SignUp.tsx'],
  '/bud/orders/:id': [...SHELL_MODULES, 'web/orders/page/OrderPage.tsx', 'web/orders/page/BudOrder.tsx'],
  '/scrub/jobs/:id': [...SHELL_MODULES, 'web/orders/page/OrderPage.tsx', 'web/orders/page/JobContent.tsx'],
  '/bud/dashboard': [...SHELL_MODULES, 'web/orders/dashboard/BudDashboard.tsx'],
  '/scrub/dashboard': [...SHELL_MODULES, 'web/orders/dashboard/ScrubDashboard.tsx'],
  '/duber/dashboard': [...SHELL_MODULES, 'web/deliveries/dashboard/DuberDashboard.tsx'],
};

const BOOT_SCRIPT = join(ROOT, 'web/boot.js');
const ROUTE_FILES_PLACEHOLDER = 'globalThis.ROUTE_FILES ?? {}';
const FONT_FILE_PLACEHOLDER = 'globalThis.FONT_FILE';
const FIRST_REQUESTS_PLACEHOLDER = 'globalThis.FIRST_REQUESTS ?? {}';

// In a URL it stays as it is. web/boot.js puts the id of the path there.
const ID = '-id-';

/** The first request of a screen for its data, as the client of the API writes it. */
const dashboardUrl = (call: Call, query: Record<string, unknown>) => `/api${buildUrl(call, { query })}`;
const orderUrl = `/api${buildUrl(readOrder, { params: { id: ID } })}`;
const FIRST_REQUESTS = {
  '/bud/orders/:id': orderUrl,
  '/scrub/jobs/:id': orderUrl,
  '/bud/dashboard': dashboardUrl(budDashboard, { fields: BUD_DASHBOARD_FIELDS }),
  '/scrub/dashboard': dashboardUrl(scrubDashboard, { fields: SCRUB_DASHBOARD_FIELDS }),
  '/duber/dashboard': dashboardUrl(duberDashboard, { pendingLimit: FIRST_OFFERS, fields: DUBER_DASHBOARD_FIELDS }),
};

/** Serves web/boot.js at /boot.js, with the first requests of the screens. A build fills in the font and the files of each preloaded route. */
export function serveBootScript(): Plugin {
  return {
    name: 'rubadub:boot',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        if (request.url !== '/boot.js') return next();
        response.setHeader('content-type', 'text/javascript').end(readBootScript());
      });
    },
    generateBundle: {
      // Vite has removed the chunks that have only styles by then.
      order: 'post',
      handler(_options, bundle) {
        const files = Object.entries(PRELOADED_ROUTES).map(([path, modules]) => [path, filesOf(modules, bundle)]);
        const routeFiles = JSON.stringify(Object.fromEntries(files));
        const withFiles = fillIn(readBootScript(), ROUTE_FILES_PLACEHOLDER, routeFiles);
        const source = fillIn(withFiles, FONT_FILE_PLACEHOLDER, JSON.stringify(`/${findFont(bundle)}`));
        this.emitFile({ type: 'asset', fileName: 'boot.js', source });
      },
    },
  };
}

const readBootScript = () =>
  fillIn(readFileSync(BOOT_SCRIPT, 'utf8'), FIRST_REQUESTS_PLACEHOLDER, JSON.stringify(FIRST_REQUESTS));

function fillIn(source: string, placeholder: string, value: string): string {
  if (!source.includes(placeholder)) throw new Error(`web/boot.js does not contain ${placeholder}`);
  return source.replace(placeholder, () => value);
}

function findFont(bundle: Rolldown.OutputBundle): string {
  const isFont = (name: string) => name.includes('inter-latin-wght-normal') && name.endsWith('.woff2');
  const file = Object.keys(bundle).find(isFont);
  if (!file) throw new Error('The font is not in the bundle');
  return file;
}

/** The URLs of all files that the modules load, except those that the entry loads anyway. */
function filesOf(modules: string[], bundle: Rolldown.OutputBundle): string[] {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const addWithImports = (chunk: Rolldown.OutputChunk | undefined, visited: Set<Rolldown.OutputChunk>) => {
    if (!chunk || visited.has(chunk)) return;
    visited.add(chunk);
    for (const file of chunk.imports) addWithImports(byFile.get(file), visited);
  };
  const entryChunks = new Set<Rolldown.OutputChunk>();
  for (const chunk of chunks.filter(({ isEntry }) => isEntry)) addWithImports(chunk, entryChunks);
  const needed = new Set<Rolldown.OutputChunk>();
  for (const module of modules) {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(join(ROOT, module)));
    if (!chunk) throw new Error(`${module} is not in the build`);
    addWithImports(chunk, needed);
  }
  const routeChunks = [...needed].filter((chunk) => !entryChunks.has(chunk));
  const styles = routeChunks.flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]);
  return [...new Set([...routeChunks.map(({ fileName }) => fileName), ...styles])].map((file) => `/${file}`);
}
