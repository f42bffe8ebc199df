import react from '@vitejs/plugin-react';
import { createServer, type Plugin } from 'vite';
import { cssModules } from './cssModules.ts';
import { ROOT } from './root.ts';

/** Renders the landing page into index.html, so that it shows before any script has loaded. */
export function prerenderLanding(): Plugin {
  return {
    name: 'rubadub:landing',
    apply: 'build',
    async transformIndexHtml(html) {
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
        const module = (await server.ssrLoadModule('/web/prerender.ts')) as { renderLanding: () => string };
        return html.replace(
          '<div id="root"></div>',
          `<div id="root"><div data-prerendered>${module.renderLanding()}</div></div>`,
        );
      } finally {
        await server.close();
      }
    },
  };
}
