import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { Refusal } from './refusals.ts';

const YEAR_S = 31_536_000;

const originOf = (url: string | undefined): string => {
  try {
    return url === undefined ? '' : new URL(url).origin;
  } catch {
    return '';
  }
};

/** The headers that keep a page to our own code and the third parties of the configuration. */
function pageHeaders(config: Config): Record<string, string> {
  const square = originOf(config.square?.webSdkUrl);
  const squareFrames = square.includes('squarecdn.com')
    ? `${square} https://*.squareup.com https://*.squareupsandbox.com`
    : '';
  const places = originOf(config.mapbox?.baseUrl);
  const map = originOf(config.mapStyleUrl);
  const policy = [
    "default-src 'self'",
    `script-src 'self' ${square}`,
    "script-src-attr 'none'",
    // Mantine writes its colours into a <style>, and MapLibre sizes into attributes.
    `style-src 'self' 'unsafe-inline' ${squareFrames && square}`,
    `img-src 'self' data: blob: ${map}`,
    `font-src 'self' ${squareFrames ? 'https://*.squarecdn.com https://d1g145x70srn7h.cloudfront.net' : ''}`,
    `connect-src 'self' ${places} ${map} ${square} ${squareFrames}`,
    `frame-src 'self' ${squareFrames}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    config.publicUrl.startsWith('https:') ? 'upgrade-insecure-requests' : '',
  ];
  return {
    'content-security-policy': policy
      .map((rule) => rule.replaceAll(/\s+/g, ' ').trim())
      .filter(Boolean)
      .join('; '),
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), payment=(self), geolocation=(self)',
  };
}

/** Serves the built web app: one page, whose routes live behind its hash, and hashed files that never change. */
export function serveWeb(app: FastifyInstance, webDir: string, config: Config): void {
  const headers = pageHeaders(config);
  app.register(fastifyStatic, {
    root: webDir,
    index: ['index.html'],
    preCompressed: true,
    setHeaders: (reply, path) => {
      const forever = path.includes('/assets/');
      reply.header('cache-control', forever ? `public, max-age=${YEAR_S}, immutable` : 'no-cache');
      for (const [name, value] of Object.entries(headers)) reply.header(name, value);
    },
  });
  app.setNotFoundHandler((request, reply) => {
    const wantsPage = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html');
    // The routes of the app live behind the hash: any other path is a typing error, and leads to the landing page.
    if (wantsPage) return reply.redirect('/');
    throw new Refusal('notFound');
  });
}
