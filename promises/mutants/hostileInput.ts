import type { Mutant } from './mutant.ts';

/** Bytes, texts, files and addresses that somebody sends to break something. */
export const HOSTILE_INPUT_MUTANTS: readonly Mutant[] = [
  {
    mutant: 'text that PostgreSQL cannot store reaches PostgreSQL',
    at: 'domain/texts.ts#CONTROL_CHARACTER',
    becomes: '/(?!)/u',
    suite: 'promises/fuzz.test.ts',
  },
  {
    mutant: 'times that PostgreSQL cannot store reach PostgreSQL',
    at: 'contract/lists.ts#isTime',
    remove: '!/^0000|[+-](1[6-9]|2\\d):\\d\\d$/.test(String(value))',
    suite: 'promises/fuzz.test.ts',
  },
  {
    mutant: 'a client that never reads is served without limit',
    at: 'server/http/connections.ts#MAX_UNANSWERED_REQUESTS',
    becomes: '1_000_000',
    suite: 'promises/abusiveClients.test.ts',
  },
  {
    mutant: 'request bodies have no size limit',
    at: 'server/http/httpServer.ts#BODY_MAXIMUM',
    becomes: '64 * 1024 * 1024',
    suite: 'promises/abusiveClients.test.ts',
  },
  {
    mutant: 'the client address is read from the leftmost forwarded hop',
    at: 'server/http/httpServer.ts#toProxyTrust',
    replace: ['hop < hops', 'hop < hops + 9'],
    suite: 'server/http/rateLimits.test.ts',
  },
  {
    mutant: 'any path reaches the file system',
    at: 'server/http/staticFiles.ts#serveWeb',
    replace: ['!names.has(path)', 'path === undefined'],
    suite: 'server/http/staticFiles.test.ts',
  },
  {
    mutant: 'a small file of very many pixels is decoded',
    at: 'server/files/photoReencoder.ts#createPhotoReencoder.reencode',
    skip: 'refuse[tooManyPixels]',
    suite: 'server/files/photoReencoder.test.ts',
  },
  {
    mutant: 'a name begins a formula where spreadsheets separate cells at semicolons',
    at: 'domain/csv.ts#toCsvCell.parts',
    becomes: 'line',
    suite: 'domain/csv.test.ts',
  },
  {
    mutant: 'a package with another checksum than in the lockfile is installed',
    at: 'scripts/downloadPackages.mjs#addPackage',
    replace: ["createHash('sha512').update(bytes).digest('base64') === checksum", 'bytes.length > 0'],
    suite: 'scripts/installPackages.test.ts',
  },
  {
    mutant: 'the page of a proxy counts as an answer of the card network',
    at: 'server/payments/card/squareClient.ts#createSquareClient.request',
    replace: ['errorAnswer.parse(answer)', "{ errors: [{ code: 'UNKNOWN' }], ...(answer as object) }"],
    suite: 'server/payments/card/squareClient.test.ts',
  },
];
