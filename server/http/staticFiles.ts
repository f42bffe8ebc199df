import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { readBagCode } from '../../domain/handovers.ts';
import type { Config } from '../config/config.ts';
import { Refusal } from './refusals.ts';
import { createTownFiles, sendTownFile, type TownSource } from './townFiles.ts';
import { isForPrograms, serveWellKnown } from './wellKnown.ts';

const YEAR_S = 31_536_000;

const originOf = (url: string | undefined): string => {
  try {
    return url === undefined ? '' : new URL(url).origin;
  } catch {
    return '';
  }
};

/** Headers that allow the page to load our own code and the configured third parties only. */
function pageHeaders(config: Config): Record<string, string> {
  const square = originOf(config.square?.webSdkUrl);
  const squareFrames = square.includes('squarecdn.com')
    ? `${square} https://*.squareup.com https://*.squareupsandbox.com`
    : '';
  const places = originOf(config.mapbox?.baseUrl);
  const map = originOf(config.mapStyleUrl);
  // The demo's page shows the app on three phones.
  const hasPhones = config.demoAccounts !== undefined;
  const policy = [
    "default-src 'self'",
    `script-src 'self' ${square}`,
    "script-src-attr 'none'",
    // Mantine writes its colours into a <style> element, and MapLibre writes sizes into style attributes.
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
    `frame-ancestors ${hasPhones ? "'self'" : "'none'"}`,
    config.publicUrl.startsWith('https:') ? 'upgrade-insecure-requests' : '',
  ];
  return {
    'content-security-policy': policy
      .map((rule) => rule.replaceAll(/\s+/g, ' ').trim())
      .filter(Boolean)
      .join('; '),
    'x-frame-options': hasPhones ? 'SAMEORIGIN' : 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    // Before anything is drawn, boot.js keeps room for the demo's entrance.
    ...(hasPhones ? { 'server-timing': 'demo' } : {}),
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), payment=(self), geolocation=(self)',
  };
}

/** The paths under which files are served, without the leading slash. The compressed files beside them are not. */
function listFiles(webDir: string): ReadonlySet<string> {
  const files = readdirSync(webDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => relative(webDir, join(parentPath, name)).replaceAll(sep, '/'));
  return new Set([
    '',
    ...paths.filter((path) => !path.startsWith('.') && !path.endsWith('.br') && !path.endsWith('.gz')),
  ]);
}

/** Serves the built web app: one page with hash routes, and files whose names contain a hash of their content. */
export function serveWeb(
  app: FastifyInstance,
  webDir: string,
  { config, now, town }: { config: Config; now: () => Date; town?: TownSource },
): void {
  serveWellKnown(app, { config, now, town });
  const headers = pageHeaders(config);
  app.register(async (scope) => {
    const names = listFiles(webDir);
    const findTownFile = createTownFiles(webDir, town);
    scope.addHook('onReady', async () => void (await findTownFile('')));
    // Whatever else a client asks for never reaches the file system.
    scope.addHook('onRequest', async (request, reply) => {
      const path = (request.params as { '*': string })['*'];
      const ofTown = await findTownFile(path);
      if (ofTown) return sendTownFile(request, reply.headers(headers), ofTown);
      if (ofTown === null || !names.has(path)) return reply.callNotFound();
    });
    scope.register(fastifyStatic, {
      root: webDir,
      index: ['index.html'],
      preCompressed: true,
      setHeaders: (reply, path) => {
        const isImmutable = path.includes('/assets/');
        reply.header('cache-control', isImmutable ? `public, max-age=${YEAR_S}, immutable` : 'no-cache');
        for (const [name, value] of Object.entries(headers)) reply.header(name, value);
      },
    });
  });
  // What the tag of a bag leads to: an address without a hash is shorter to print and to type.
  app.get<{ Params: { code: string } }>('/b/:code', (request, reply) =>
    reply.redirect(`/#/b/${readBagCode(request.params.code) ?? 'unknown'}`),
  );
  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?');
    const accepts = request.headers.accept ?? '';
    const wantsPage = request.method === 'GET' && accepts.includes('text/html') && !isForPrograms(path);
    // The app's routes are in the hash, so any other path of a page is a typing error.
    if (wantsPage) return reply.redirect('/');
    throw new Refusal('notFound');
  });
}
