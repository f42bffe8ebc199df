// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are pieces of sources
import type { PlantedBug } from './plantedBug.ts';

const ACCOUNTS = 'server/accounts/accounts.test.ts';
const ABUSIVE_CLIENTS = 'promises/abusiveClients.test.ts';
const GUESSING = 'promises/guessing.test.ts';
const UNINTENDED_STEPS = 'promises/unintendedSteps.test.ts';
const RATE_LIMITS = 'server/http/rateLimits.test.ts';

/** Bugs at the door: limits, guesses, requests that nobody meant, foreign code. */
export const HTTP_BUGS: readonly PlantedBug[] = [
  {
    bug: 'a cookie is taken for a token',
    file: 'server/http/request.ts',
    find: "(request.headers.authorization ?? '')",
    replace: "(request.headers.authorization ?? (request.headers.cookie ?? '').replace('auth-token=', 'Bearer '))",
    suite: UNINTENDED_STEPS,
  },
  {
    bug: 'a token that was good once goes on reading',
    file: 'server/db/query.sql.ts',
    find: 'from sessions s left join',
    replace:
      'from (select now() as last_used_at, ${tokenHash}::bytea as token_hash, ${userId}::uuid as user_id) s left join',
    suite: ACCOUNTS,
  },
  {
    bug: 'whoever has left is still told what is wrong with what they ask',
    file: 'server/http/routes.ts',
    find: 'if (error instanceof Refusal) return undefined;',
    replace: '',
    suite: ACCOUNTS,
  },
  {
    bug: 'a step is taken for whatever a browser does by itself',
    file: 'server/http/fetchMetadata.ts',
    find: "if (site !== undefined && site !== 'same-origin') return false;",
    replace: '',
    suite: UNINTENDED_STEPS,
  },
  {
    bug: 'a step is prefetched',
    file: 'server/http/fetchMetadata.ts',
    find: 'purpose === undefined',
    replace: "purpose !== 'never'",
    suite: UNINTENDED_STEPS,
  },
  {
    bug: 'HEAD is not refused',
    file: 'server/http/routes.ts',
    find: "['DELETE', 'GET', 'HEAD', ",
    replace: "['DELETE', 'GET', ",
    suite: UNINTENDED_STEPS,
  },
  {
    bug: 'nobody waits for a hash who has no account',
    file: 'server/auth/secrets.ts',
    find: 'const against = hash ?? (await decoyHash);',
    replace: 'if (hash === undefined) return false;\n  const against = hash;',
    suite: GUESSING,
  },
  {
    bug: 'wrong passwords do not make anybody wait',
    file: 'server/accounts/accounts.ts',
    find: 'free: 5, firstWaitS: 30',
    replace: 'free: 5_000, firstWaitS: 30',
    suite: GUESSING,
  },
  {
    bug: 'wrong codes cost no try',
    file: 'server/accounts/accounts.sql.ts',
    find: "eb('tries_left', '-', 1)",
    replace: "eb('tries_left', '-', 0)",
    suite: GUESSING,
  },
  {
    bug: 'an answer tells who has an account',
    file: 'server/accounts/passwordResets.ts',
    find: '  await insertResetRequest(db,',
    replace:
      "  if (!(await findAccountByEmail(db, normalizeEmail(email)))) refuse('notFound');\n  await insertResetRequest(db,",
    suite: GUESSING,
  },
  {
    bug: 'an address decides by its leftmost forwarded hop',
    file: 'server/http/httpServer.ts',
    find: 'hop < hops',
    replace: 'hop < hops + 9',
    suite: RATE_LIMITS,
  },
  {
    bug: 'limits are each server’s own',
    file: 'server/http/rateLimits.ts',
    find: 'await incrementRateLimit(db, { kind, network }, time, window)',
    replace: 'await incrementRateLimit(db, { kind, network: network + process.hrtime.bigint() }, time, window)',
    suite: RATE_LIMITS,
  },
  {
    bug: 'every address of an IPv6 network counts for itself',
    file: 'server/http/rateLimits.ts',
    find: '.slice(0, 4);',
    replace: '.slice(0, 8);',
    suite: RATE_LIMITS,
  },
  {
    bug: 'a body may take for ever to arrive',
    file: 'server/http/httpServer.ts',
    find: 'requestTimeout: 20_000',
    replace: 'requestTimeout: 0',
    suite: ABUSIVE_CLIENTS,
  },
  {
    bug: 'whoever asks without reading is served on and on',
    file: 'server/http/connections.ts',
    find: 'const MAX_UNANSWERED_REQUESTS = 16;',
    replace: 'const MAX_UNANSWERED_REQUESTS = 1_000_000;',
    suite: ABUSIVE_CLIENTS,
  },
  {
    bug: 'bodies of any size are read',
    file: 'server/http/httpServer.ts',
    find: 'const BODY_MAXIMUM = 64 * 1024;',
    replace: 'const BODY_MAXIMUM = 64 * 1024 * 1024;',
    suite: ABUSIVE_CLIENTS,
  },
  {
    bug: 'as many hashes at once as are asked for',
    file: 'server/auth/secrets.ts',
    find: 'Math.min(3, availableParallelism() - 1)',
    replace: 'Math.min(100, 100)',
    suite: 'server/auth/semaphore.test.ts',
  },
  {
    bug: 'the log tells whole errors',
    file: 'server/log.ts',
    find: 'serializers: { err: serializeError },',
    replace: '',
    suite: 'server/log.test.ts',
  },
  {
    bug: 'the log tells queries',
    file: 'server/http/httpServer.ts',
    find: ".slice(0, MAX_LOGGED_URL_LENGTH).split('?')",
    replace: ".slice(0, MAX_LOGGED_URL_LENGTH).split('#')",
    suite: 'server/log.test.ts',
  },
  {
    bug: 'tables are restored before those that they refer to',
    file: 'server/db/backup/tables.sql.ts',
    find: 'waiting.has(to) && to !== name',
    replace: 'false && waiting.has(to)',
    suite: 'server/commands/backup.test.ts',
  },
  {
    bug: 'a damaged backup is restored',
    file: 'server/db/backup/read.ts',
    find: "checksum !== hash.digest('hex')",
    replace: 'checksum === undefined',
    suite: 'server/commands/backup.test.ts',
  },
];
