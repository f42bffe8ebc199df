import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { ROOT } from './root.ts';

const SHELL_MODULES = ['web/shell/Shell.tsx', 'web/live/LiveUpdates.tsx'];

// Where people arrive: what these routes need is asked for at once, and not when the first file has been read.
const PRELOADED_ROUTES: Record<string, string[]> = {
  shell: SHELL_MODULES,
  '/login': ['web/accounts/SignIn.tsx'],
  '/signup': ['web/accounts/SignUp.tsx'],
  '/bud/dashboard': [...SHELL_MODULES, 'web/orders/BudDashboard.tsx'],
  '/scrub/dashboard': [...SHELL_MODULES, 'web/orders/ScrubDashboard.tsx'],
  '/duber/dashboard': [...SHELL_MODULES, 'web/deliveries/DuberDashboard.tsx'],
};

const BOOT_SCRIPT = join(ROOT, 'web/boot.js');
const ROUTE_FILES_PLACEHOLDER = 'globalThis.ROUTE_FILES ?? {}';

/** Puts web/boot.js at /boot.js; in a build it knows the files that each of ARRIVALS needs. */
export function serveBootScript(): Plugin {
  return {
    name: 'rubadub:boot',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        if (request.url !== '/boot.js') return next();
        response.setHeader('content-type', 'text/javascript').end(readFileSync(BOOT_SCRIPT));
      });
    },
    generateBundle(_options, bundle) {
      const source = readFileSync(BOOT_SCRIPT, 'utf8');
      if (!source.includes(ROUTE_FILES_PLACEHOLDER))
        throw new Error('boot.js has no place for the files of the routes');
      const files = Object.entries(PRELOADED_ROUTES).map(([path, modules]) => [path, filesOf(modules, bundle)]);
      const known = JSON.stringify(Object.fromEntries(files));
      this.emitFile({
        type: 'asset',
        fileName: 'boot.js',
        source: source.replace(ROUTE_FILES_PLACEHOLDER, () => known),
      });
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
    const home = chunks.find(({ moduleIds }) => moduleIds.includes(join(ROOT, module)));
    if (!home) throw new Error(`${module} is in no file of the build`);
    reach(home, needed);
  }
  const own = [...needed].filter((chunk) => !first.has(chunk));
  const styles = own.flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]);
  return [...new Set([...own.map(({ fileName }) => fileName), ...styles])].map((file) => `/${file}`);
}
