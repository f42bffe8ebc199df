import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { ROOT } from './root.ts';

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

const BOOT = join(ROOT, 'web/boot.js');
const FILES_UNKNOWN = 'globalThis.ROUTE_FILES ?? {}';

/** Puts web/boot.js at /boot.js; in a build it knows the files that each of ARRIVALS needs. */
export function serveBoot(): Plugin {
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
    const home = chunks.find(({ moduleIds }) => moduleIds.includes(join(ROOT, module)));
    if (!home) throw new Error(`${module} is in no file of the build`);
    reach(home, needed);
  }
  const own = [...needed].filter((chunk) => !first.has(chunk));
  const styles = own.flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]);
  return [...new Set([...own.map(({ fileName }) => fileName), ...styles])].map((file) => `/${file}`);
}
