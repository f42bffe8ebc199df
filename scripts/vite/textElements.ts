import { join } from 'node:path';
import type { Plugin } from 'vite';
import { ROOT } from './root.ts';

const RUNTIME = join(ROOT, 'web/ui/jsxRuntime.ts');
const RUNTIMES = ['react/jsx-runtime', 'react/jsx-dev-runtime'];

/**
 * Builds the elements of all screens, and of the libraries in them, with web/ui/jsxRuntime.ts, so that translators cannot take a
 * text away from React. `npm run dev` serves the libraries as they are.
 */
export function wrapTexts(): Plugin {
  return {
    name: 'rubadub:text-elements',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^react\/jsx-(dev-)?runtime$/ },
      handler: (source, importer) => (RUNTIMES.includes(source) && importer !== RUNTIME ? RUNTIME : undefined),
    },
  };
}
