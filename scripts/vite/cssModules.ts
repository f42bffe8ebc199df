import { createHash } from 'node:crypto';
import { basename, relative } from 'node:path';
import { ROOT } from './root.ts';

/** Stable class names, because the prerendered landing page and the bundle come from two separate builds. */
export const cssModules = {
  modules: {
    generateScopedName: (name: string, file: string) => {
      const path = relative(ROOT, file.split('?')[0] ?? file);
      const hash = createHash('sha256').update(path).digest('base64url').slice(0, 4);
      return `${basename(path, '.module.css')}-${name}-${hash}`;
    },
  },
};
