import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Shades, shadesOf } from '../../domain/colors.ts';
import { DEFAULT_IDENTITY, type Identity, type Logo, PRODUCT_NAME } from '../../domain/identity.ts';
import { drawLetterIcon } from './letterIcon.ts';
import { acceptsGzip } from './reply.ts';

// The files of the web app that show who the town is. The build makes them for the product's own name: a town with another one
// gets them filled in here, so that its name and colour are there before any script runs.

/** How the pages read the town. `version` changes with the identity and with the logo. */
export type TownSource = {
  readonly readIdentity: () => Promise<{ readonly identity: Identity; readonly version: string }>;
  readonly readLogo: () => Promise<Logo | null>;
};

/** A town that has set nothing. */
const UNNAMED_TOWN: TownSource = {
  readIdentity: async () => ({ identity: DEFAULT_IDENTITY, version: '' }),
  readLogo: async () => null,
};

type File = {
  readonly type: string;
  readonly body: Buffer;
  readonly etag: string;
  readonly compressed: Readonly<Record<'br' | 'gzip', Buffer>> | undefined;
};
/** Null for a file that a town with a name of its own does not have. */
type Files = ReadonlyMap<string, File | null>;

/** Somebody waits for it: the best one takes ten times as long and saves 5%. */
const BROTLI_QUALITY = 9;
/** How long a page waits for the database. After that it shows the town as it was read last. */
const PATIENCE_MS = 100;
const NO_FILES: Files = new Map();

/** Finds the file of a path as the town shows it; undefined for one that is the same in all towns, null for none. */
type FindTownFile = (path: string) => Promise<File | null | undefined>;

/** The files of the town, made again when it has changed. All requests of a moment share one look at the database. */
export function createTownFiles(webDir: string, town = UNNAMED_TOWN): FindTownFile {
  let files = Promise.resolve(NO_FILES);
  let version: string | undefined;
  let looking: ReturnType<typeof look> | undefined;
  const look = () =>
    town
      .readIdentity()
      .catch(() => undefined)
      .finally(() => {
        looking = undefined;
      });
  return async (path) => {
    if (!TOWN_FILES.has(path)) return undefined;
    looking ??= look();
    const read = await atMost(looking, PATIENCE_MS);
    if (read && read.version !== version) {
      version = read.version;
      const before = files;
      files = makeFiles(webDir, read.identity, town.readLogo).catch(() => {
        version = undefined;
        return before;
      });
    }
    return (await files).get(path);
  };
}

/** The result of some work, or undefined when it takes longer. */
async function atMost<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

const PAGE = 'index.html';
const MANIFEST = 'manifest.webmanifest';
const WORKER = 'sw.js';
const ICON = 'favicon.svg';
const MASKABLE_ICON = 'icons/maskable.svg';
/** What phones and notifications show. They take no SVG. */
const PHOTO_ICONS = ['icons/apple-touch-180.png', 'icons/icon-192.png'] as const;
const TOWN_FILES: ReadonlySet<string> = new Set(['', PAGE, MANIFEST, WORKER, ICON, MASKABLE_ICON, ...PHOTO_ICONS]);

async function makeFiles(webDir: string, identity: Identity, readLogo: TownSource['readLogo']): Promise<Files> {
  const { name, color } = identity;
  const logo = await readLogo();
  if (name === DEFAULT_IDENTITY.name && color === DEFAULT_IDENTITY.color && logo === null) return NO_FILES;
  const read = (path: string) => readFileSync(join(webDir, path), 'utf8');
  const icon = drawIcon(identity, logo);
  const version = hash('sha256', JSON.stringify([name, color, icon]), 'base64url').slice(0, 12);
  const photo = toPhoto(identity, logo);
  const filling = { name, color, version, hasPhoto: photo !== null };
  const page = await toFile('text/html; charset=utf-8', fillPage(read(PAGE), filling));
  return new Map([
    ['', page],
    [PAGE, page],
    [
      MANIFEST,
      await toFile('application/manifest+json; charset=utf-8', fillManifest(read(MANIFEST), identity, version)),
    ],
    [WORKER, await toFile('text/javascript; charset=utf-8', fillWorker(read(WORKER), name, version))],
    [ICON, await toFile('image/svg+xml', icon)],
    [MASKABLE_ICON, await toFile('image/svg+xml', drawIcon(identity, logo, { isMasked: true }))],
    ...PHOTO_ICONS.map((path) => [path, photo] as const),
  ]);
}

const compressBr = promisify(brotliCompress);
const compressGzip = promisify(gzip);

async function toFile(type: string, text: string): Promise<File> {
  const body = Buffer.from(text);
  const [br, gz] = await Promise.all([
    compressBr(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
    compressGzip(body),
  ]);
  return { type, body, etag: etagOf(body), compressed: { br, gzip: gz } };
}

/** Null for a town without a logo, whose first letter is of another script. */
function toPhoto({ name, color }: Identity, logo: Logo | null): File | null {
  const body = logo ? Buffer.from(logo.base64, 'base64') : drawLetterIcon(name, color);
  return body ? { type: logo?.type ?? 'image/png', body, etag: etagOf(body), compressed: undefined } : null;
}

const etagOf = (body: Buffer) => `"${hash('sha256', body, 'base64url').slice(0, 22)}"`;

/** Sends a file of the town, or 304 when the client has it. The browser asks every time. */
export function sendTownFile(request: FastifyRequest, reply: FastifyReply, file: File): FastifyReply {
  const { type, body, etag, compressed } = file;
  reply.headers({ etag, 'cache-control': 'no-cache' });
  if (compressed) reply.header('vary', 'accept-encoding');
  if (request.headers['if-none-match']?.split(/, ?/).some((known) => known.replace(/^W\//, '') === etag))
    return reply.code(304).send();
  const encoding = compressed && encodingOf(request);
  if (encoding) reply.header('content-encoding', encoding);
  return reply.type(type).send(encoding ? compressed[encoding] : body);
}

function encodingOf({ headers }: FastifyRequest): 'br' | 'gzip' | undefined {
  const accepted = headers['accept-encoding'];
  if (/(?:^|,)\s*br\s*(?:,|$)/.test(String(accepted ?? ''))) return 'br';
  return acceptsGzip(accepted) ? 'gzip' : undefined;
}

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

type Filling = {
  readonly name: string;
  readonly color: Identity['color'];
  readonly version: string;
  readonly hasPhoto: boolean;
};

/** The page with the name, the colour and the icon of the town. web/town.ts reads them from there. */
function fillPage(html: string, { name, color, version, hasPhoto }: Filling): string {
  const mark = `/${ICON}?${version}`;
  const named = html.replaceAll(PRODUCT_NAME, () => escapeHtml(name)).replace(`href="/${ICON}"`, `href="${mark}"`);
  const head = `<meta name="town-mark" content="${mark}">${color === DEFAULT_IDENTITY.color ? '' : `<style>${toCss(color)}</style>`}</head>`;
  const page = replaceMarks(named, mark).replace('</head>', head);
  return hasPhoto ? page : withoutLine(page, 'rel="apple-touch-icon"');
}

const withoutLine = (text: string, words: string) =>
  text
    .split('\n')
    .filter((line) => !line.includes(words))
    .join('\n');

const SVG = '<svg width="';
const SVG_END = '</svg>';

/** Puts a picture in place of the marks of web/ui/Logo.tsx, as the build has rendered them. */
function replaceMarks(html: string, mark: string): string {
  const [start = '', ...drawings] = html.split(SVG);
  const replaced = drawings.map((drawing) => {
    const attributes = drawing.slice(0, drawing.indexOf('>'));
    if (!attributes.includes(' data-mark=')) return SVG + drawing;
    const size = Number.parseInt(attributes, 10);
    const rest = drawing.slice(drawing.indexOf(SVG_END) + SVG_END.length);
    return `<img src="${mark}" width="${size}" height="${size}" alt="" style="flex:none">${rest}`;
  });
  return [start, ...replaced].join('');
}

/** The shades in place of those of web/theme/tokens.css. Paper is always light. */
function toCss(color: Identity['color']): string {
  const { light, dark } = shadesOf(color);
  return `:root:root{${toVariables(light)}}@media screen{:root:root[data-mantine-color-scheme="dark"]{${toVariables(dark)}}}`;
}

const toVariables = (shades: Shades) =>
  Object.entries(shades)
    .map(([name, shade]) => `--${name}:${shade}`)
    .join(';');

function fillManifest(text: string, { name, color }: Identity, version: string): string {
  const manifest = JSON.parse(text) as object;
  const toIcon = (path: string, purpose: string) => ({
    src: `/${path}?${version}`,
    sizes: 'any',
    type: 'image/svg+xml',
    purpose,
  });
  const icons = [toIcon(ICON, 'any'), toIcon(MASKABLE_ICON, 'maskable')];
  return JSON.stringify({ ...manifest, name, short_name: name, theme_color: color, icons });
}

/** The service worker. Its last line makes browsers fetch the files of the town again when it has changed. */
function fillWorker(script: string, name: string, version: string): string {
  const escaped = name.replace(/[^\w ]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `${script.replaceAll(PRODUCT_NAME, () => escaped)}\n// ${version}\n`;
}

/** The logo on white, or the first letter of the name on its colour. `isMasked` leaves the corners to the phone. */
function drawIcon({ name, color }: Identity, logo: Logo | null, { isMasked = false } = {}): string {
  const corners = isMasked ? '' : ' rx="9"';
  const [x, side] = isMasked ? [6, 20] : [3, 26];
  const [letter = ''] = name.toUpperCase();
  const drawing = logo
    ? `<rect width="32" height="32"${corners} fill="#fff"/><image href="data:${logo.type};base64,${logo.base64}" x="${x}" y="${x}" width="${side}" height="${side}"/>`
    : `<rect width="32" height="32"${corners} fill="${color}"/><text x="16" y="22.5" text-anchor="middle" font-family="Inter,system-ui,sans-serif" font-size="18" font-weight="700" fill="#fff">${escapeHtml(letter)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${drawing}</svg>`;
}
