import type { Plugin } from 'vite';

/** Preloads the font. Without the hint the browser fetches it only after the CSS has loaded. */
export function preloadFont(): Plugin {
  return {
    name: 'rubadub:font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const file = Object.keys(bundle ?? {}).find(
          (name) => name.includes('inter-latin-wght-normal') && name.endsWith('.woff2'),
        );
        if (!file) throw new Error('The font is not in the bundle');
        const attrs = {
          rel: 'preload',
          href: `/${file}`,
          as: 'font',
          type: 'font/woff2',
          crossorigin: true,
          fetchpriority: 'low',
        };
        return [{ tag: 'link', attrs, injectTo: 'head-prepend' }];
      },
    },
  };
}
