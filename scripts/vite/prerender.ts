import react from '@vitejs/plugin-react';
import { createServer, type Plugin, type Rolldown } from 'vite';
import { cssModules } from './cssModules.ts';
import { ROOT } from './root.ts';

type Screens = { readonly html: string; readonly styles: string };
type Prerendered = { readonly renderScreens: () => Screens };

/** Renders the landing page and the sign-in into index.html, so that they show before any script has loaded. */
export function prerenderScreens(): Plugin {
  return {
    name: 'rubadub:prerender',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle = {} }) {
        const { html: screens, styles: ownStyles } = await renderScreens();
        const styles = Object.values(bundle).filter(({ fileName }) => isNeededStylesheet(fileName, html));
        ensureStyled(screens, styles);
        return {
          html: html.replace('<div id="root"></div>', () => `<div id="root">${screens}</div>`),
          tags: [
            ...styles
              .filter(({ fileName }) => !html.includes(fileName))
              .map(({ fileName }) => ({
                tag: 'link',
                attrs: { rel: 'stylesheet', crossorigin: true, href: `/${fileName}` },
                injectTo: 'head' as const,
              })),
            { tag: 'style', children: ownStyles, injectTo: 'head' as const },
          ],
        };
      },
    },
  };
}

async function renderScreens(): Promise<Screens> {
  const server = await createServer({
    root: ROOT,
    configFile: false,
    css: cssModules,
    plugins: [react()],
    server: { middlewareMode: true, ws: false, watch: null },
    appType: 'custom',
    logLevel: 'error',
    optimizeDeps: { noDiscovery: true, include: [] },
  });
  try {
    const { renderScreens } = (await server.ssrLoadModule('/web/prerender.tsx')) as Prerendered;
    return renderScreens();
  } finally {
    await server.close();
  }
}

/** The stylesheet of the page, and that of the group `prerendered` in chunks.ts. */
const isNeededStylesheet = (fileName: string, html: string) =>
  fileName.endsWith('.css') && (html.includes(fileName) || fileName.includes('/prerendered-'));

/** Fails the build when a class of ours would have no style until its screen has loaded. */
function ensureStyled(html: string, styles: readonly (Rolldown.OutputAsset | Rolldown.OutputChunk)[]): void {
  const css = styles.map((file) => (file.type === 'asset' ? String(file.source) : '')).join('');
  const classes = [...html.matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' '));
  // The names of CSS modules end with a hash (cssModules.ts).
  const ours = classes.filter((name) => /^(?!mantine-)\w+-\w+-[\w-]{4}$/.test(name));
  const missing = [...new Set(ours)].filter((name) => !css.includes(`.${name}`));
  if (missing.length > 0)
    throw new Error(`scripts/vite/chunks.ts puts no styles of ${missing.join(', ')} into 'prerendered'`);
}
