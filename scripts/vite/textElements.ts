import { join } from 'node:path';
import type { Plugin } from 'vite';
import { ROOT } from './root.ts';

const WEB = join(ROOT, 'web/');
const RUNTIME = join(ROOT, 'web/ui/jsxRuntime.ts');
const RUNTIMES = ['react/jsx-runtime', 'react/jsx-dev-runtime'];

/** Builds the elements of all screens with web/ui/jsxRuntime.ts, so that translators cannot take a text away from React. */
export function wrapTexts(): Plugin {
  return {
    name: 'rubadub:text-elements',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^react\/jsx-(dev-)?runtime$/ },
      handler: (source, importer) =>
        RUNTIMES.includes(source) && importer?.startsWith(WEB) && importer !== RUNTIME ? RUNTIME : undefined,
    },
  };
}
