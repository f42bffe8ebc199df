import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { generateCityInWorker } from './city/generateInWorker.ts';
import { type MailStandIn, openMailStandIn } from './mail.ts';
import { serveMap } from './map.ts';
import { escapeHtml, type PageLink, renderPage, sendPage } from './page.ts';
import { servePlaces } from './places.ts';
import { openPushStandIn, type PushStandIn } from './push.ts';
import { serveRoutes } from './routes.ts';
import { serveS3 } from './s3.ts';
import { openSquareStandIn, type SquareStandIn } from './square.ts';

/** `files` is S3's stand-in. The product keeps files in its database, so it opens only on request. */
export type SandboxParts = { square: boolean; places: boolean; map: boolean; mail: boolean; files?: boolean };

export type Sandbox = {
  // Adds the routes of the parts in use to a server that is not listening yet, in their own plugin scope.
  register(app: FastifyInstance): Promise<void>;
  smtpUrl: string | undefined;
  close(): Promise<void>;
};

export type SandboxOptions = {
  dataDir: string;
  parts: SandboxParts;
  publicUrl: string | (() => string);
  smtpPort?: number;
  // Keeps other processes out of a folder, because two writers would corrupt a journal. The caller provides it;
  // without one, the folder is assumed to be unused.
  lock?: (folder: string) => { release(): void };
  now?: () => Date;
};

const PAGES: Record<Exclude<keyof SandboxParts, 'files'> | 'push', PageLink & { about: string }> = {
  square: { href: '/sandbox/square', text: 'Payments', about: 'Holds, captures and refunds, and cards to try.' },
  mail: { href: '/sandbox/mail', text: 'Mail', about: 'Everything that was sent, and to whom.' },
  places: { href: '/sandbox/places', text: 'Search', about: 'The streets and numbers that can be found.' },
  push: { href: '/sandbox/push', text: 'Pushes', about: 'What was pushed to devices, encrypted as it is.' },
  map: { href: '/sandbox/map', text: 'Map', about: 'The made-up city, street by street.' },
};

/** Fails with one clear line when another process uses the folder, or a port is taken. */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { dataDir, parts, smtpPort = 0, now = () => new Date() } = options;
  const { publicUrl: url } = options;
  const publicUrl = typeof url === 'string' ? () => url : url;
  // Mail and pushes always use stand-ins together.
  const played = { ...parts, push: parts.mail };
  const links = (['square', 'mail', 'push', 'places', 'map'] as const)
    .filter((part) => played[part])
    .map((part) => PAGES[part]);
  const nav = () => links;
  const lock = options.lock?.(join(dataDir, 'sandbox'));
  let square: SquareStandIn | undefined;
  let mail: MailStandIn | undefined;
  let push: PushStandIn | undefined;
  const close = async () => {
    await mail?.close();
    await push?.close();
    await square?.close();
    lock?.release();
  };
  try {
    if (parts.square) square = await openSquareStandIn({ dataDir, publicUrl, nav, now });
    if (parts.mail) mail = await openMailStandIn({ dataDir, smtpPort, nav, now });
    if (played.push) push = await openPushStandIn({ dataDir, publicUrl, nav, now });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    smtpUrl: mail?.smtpUrl,
    async register(app) {
      await app.register(async (scope) => {
        acceptJsonOnly(scope);
        scope.addHook('onRequest', async (_request, reply) => void reply.headers(UNFRAMED));
        scope.get('/sandbox', async (_request, reply) => sendPage(reply, renderIndexPage(links)));
        if (square) await square.registerRoutes(scope);
        if (mail) await mail.registerRoutes(scope);
        if (push) await push.registerRoutes(scope);
        if (parts.files) await serveS3(scope, { dataDir, now });
        if (!parts.places && !parts.map) return;
        const city = generateCityInWorker();
        // Each request that needs it gets the error; it must not crash the process.
        city.catch(() => undefined);
        if (parts.places) await scope.register(servePlaces({ city }));
        if (!parts.map) return;
        await scope.register(serveMap({ city, publicUrl: urlIfPortKnown(publicUrl()) }));
        // The routes belong to the map that they are drawn on.
        await scope.register(serveRoutes({ city }));
      });
    },
    close,
  };
}

// A server on a free port knows its address only after its routes are created.
function urlIfPortKnown(url: string): string | undefined {
  return new URL(url).port === '0' ? undefined : url;
}

// No page of ours has to show a stand-in inside itself: the card form is a script, not a frame.
const UNFRAMED = { 'x-frame-options': 'DENY', 'content-security-policy': "frame-ancestors 'none'" };

const MAX_BODY_BYTES = 1024 * 1024;

// Treats an empty body as no body: Square's SDK sends some calls that way.
function acceptJsonOnly(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
    (_request, body, done) => {
      try {
        done(null, body === '' ? undefined : JSON.parse(String(body)));
      } catch {
        done(Object.assign(new Error('The body is not JSON'), { statusCode: 400 }));
      }
    },
  );
}

function renderIndexPage(links: (PageLink & { about: string })[]): string {
  const cards = links.map(
    ({ href, text, about }) =>
      `<div class="card"><h2><a href="${href}">${escapeHtml(text)}</a></h2><p class="quiet">${escapeHtml(about)}</p></div>`,
  );
  const body = `<p class="quiet">These parts of Rubadub are played by stand-ins here: no real card is charged and no mail leaves this machine.</p>
<div class="grid">${cards.join('')}</div><p><a href="/">Go to Rubadub</a></p>`;
  return renderPage({ title: 'Stand-ins', body, nav: links });
}
