// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code
import type { PlantedBug } from './plantedBug.ts';

const ACCOUNTS = 'server/accounts/accounts.test.ts';
const ABUSIVE_CLIENTS = 'promises/abusiveClients.test.ts';
const GUESSING = 'promises/guessing.test.ts';
const UNINTENDED_STEPS = 'promises/unintendedSteps.test.ts';
const RATE_LIMITS = 'server/http/rateLimits.test.ts';

/** Bugs in the HTTP layer and in authentication: limits, guessing, unintended requests, logs, backups. */
export const HTTP_BUGS: readonly PlantedBug[] = [
  {
    bug: 'a cookie is accepted as a token',
    file: 'server/http/request.ts',
    find: "(request.headers.authorization ?? '')",
    replace: "(request.headers.authorization ?? (request.headers.cookie ?? '').replace('auth-token=', 'Bearer '))",
    suite: UNINTENDED_STEPS,
  },
  {
    bug: 'a session that was ended can still read',
    file: 'server/db/query.sql.ts',
    find: 'from sessions s left join',
    replace:
      'from (select now() as last_used_at, ${tokenHash}::bytea as token_hash, ${userId}::uuid as user_id) s left join',
    suite: ACCOUNTS,
  },
  {
    bug: 'a user who has signed out still gets validation errors',
    file: 'server/http/routes.ts',
    find: 'if (error instanceof Refusal) return undefined;',
    replace: '',
    suite: ACCOUNTS,
  },
  {
    bug: 'requests from other sites can take a step',
    file: 'server/http/fetchMetadata.ts',
    find: "if (site !== undefined && site !== 'same-origin') return false;",
    replace: '',
    suite: UNINTENDED_STEPS,
  },
  {
    bug: 'a prefetch takes a step',
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
    bug: 'a login without an account skips the password hash',
    file: 'server/auth/secrets.ts',
    find: 'const against = hash ?? (await decoyHash);',
    replace: 'if (hash === undefined) return false;\n  const against = hash;',
    suite: GUESSING,
  },
  {
    bug: 'wrong passwords are not rate-limited',
    file: 'server/accounts/accounts.ts',
    find: 'free: 5, firstWaitS: 30',
    replace: 'free: 5_000, firstWaitS: 30',
    suite: GUESSING,
  },
  {
    bug: 'wrong codes do not use up attempts',
    file: 'server/accounts/accounts.sql.ts',
    find: "eb('tries_left', '-', 1)",
    replace: "eb('tries_left', '-', 0)",
    suite: GUESSING,
  },
  {
    bug: 'an answer reveals who has an account',
    file: 'server/accounts/passwordResets.ts',
    find: '  await insertResetRequest(db,',
    replace:
      "  if (!(await findAccountByEmail(db, normalizeEmail(email)))) refuse('notFound');\n  await insertResetRequest(db,",
    suite: GUESSING,
  },
  {
    bug: 'the client address is read from the leftmost forwarded hop',
    file: 'server/http/httpServer.ts',
    find: 'hop < hops',
    replace: 'hop < hops + 9',
    suite: RATE_LIMITS,
  },
  {
    bug: 'each server counts its own limits',
    file: 'server/http/rateLimits.ts',
    find: 'await incrementRateLimit(db, { kind, network }, time, window)',
    replace: 'await incrementRateLimit(db, { kind, network: network + process.hrtime.bigint() }, time, window)',
    suite: RATE_LIMITS,
  },
  {
    bug: 'each address of an IPv6 network has its own limit',
    file: 'server/http/rateLimits.ts',
    find: '.slice(0, 4);',
    replace: '.slice(0, 8);',
    suite: RATE_LIMITS,
  },
  {
    bug: 'a request body has no time limit',
    file: 'server/http/httpServer.ts',
    find: 'requestTimeout: 20_000',
    replace: 'requestTimeout: 0',
    suite: ABUSIVE_CLIENTS,
  },
  {
    bug: 'a client that never reads is served without limit',
    file: 'server/http/connections.ts',
    find: 'const MAX_UNANSWERED_REQUESTS = 16;',
    replace: 'const MAX_UNANSWERED_REQUESTS = 1_000_000;',
    suite: ABUSIVE_CLIENTS,
  },
  {
    bug: 'request bodies have no size limit',
    file: 'server/http/httpServer.ts',
    find: 'const BODY_MAXIMUM = 64 * 1024;',
    replace: 'const BODY_MAXIMUM = 64 * 1024 * 1024;',
    suite: ABUSIVE_CLIENTS,
  },
  {
    bug: 'password hashes have no concurrency limit',
    file: 'server/auth/secrets.ts',
    find: 'Math.min(3, availableParallelism() - 1)',
    replace: 'Math.min(100, 100)',
    suite: 'server/auth/semaphore.test.ts',
  },
  {
    bug: 'the log contains whole errors',
    file: 'server/log.ts',
    find: 'serializers: { err: serializeError },',
    replace: '',
    suite: 'server/log.test.ts',
  },
  {
    bug: 'the log contains query strings',
    file: 'server/http/httpServer.ts',
    find: ".slice(0, MAX_LOGGED_URL_LENGTH).split('?')",
    replace: ".slice(0, MAX_LOGGED_URL_LENGTH).split('#')",
    suite: 'server/log.test.ts',
  },
  {
    bug: 'tables are restored before the tables they refer to',
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
