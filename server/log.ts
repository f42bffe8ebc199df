import { AsyncLocalStorage } from 'node:async_hooks';
import pino, { type DestinationStream, type LevelWithSilent, type Logger } from 'pino';
import type { Log } from './context.ts';

const REDACTED = '[private]';

/** What nobody finds in a log, under whatever name it was put there. */
const REDACTED_KEYS = new Set(
  `address authorization authToken body code codeHash cookie detail email emailKey emailOtp fullname headers instructions
   link message newPassword orderInstructions password passwordHash paymentSourceId phone query recipient sourceId
   subject text token verificationToken`.split(/\s+/),
);
const REDACTION_DEPTH = 4;

// What has the form of an e-mail address, a phone number, or a token of ours.
const EMAIL_PATTERN = /[^\s"'<>\\/:=?&,;()]+(?:@|%40)[^\s"'<>\\/?&,;()]+\.[a-z]{2,}/gi;
const PHONE_PATTERN = /\+\d{8,15}(?!\d)/g;
const TOKEN_PATTERN = /(?<![\w-])[\w-]{40,}(?![\w-])/g;

/** The server's logger: one JSON line an event, to `destination` (stdout without one), and nothing private in any. */
export function createLogger(level: LevelWithSilent, destination?: DestinationStream): Logger {
  const options = {
    level,
    serializers: { err: serializeError },
    formatters: { log: (details: Record<string, unknown>) => redactKeys(details, REDACTION_DEPTH) },
    // The last door: what was not expected in an error's words is caught by its form.
    hooks: { streamWrite: redactLine },
  };
  return destination ? pino(options, destination) : pino(options);
}

const currentRequestId = new AsyncLocalStorage<string>();

/** Does the work of a request: whatever it logs carries its id. */
export function withRequestId<T>(requestId: string, work: () => T): T {
  return currentRequestId.run(requestId, work);
}

/** A log whose lines carry the id of the request that is worked on, where there is one. */
export function createRequestLog(logger: Log): Log {
  const withId = (details: object) => {
    const reqId = currentRequestId.getStore();
    return reqId === undefined ? details : { reqId, ...details };
  };
  return {
    info: (details, message) => logger.info(withId(details), message),
    warn: (details, message) => logger.warn(withId(details), message),
    error: (details, message) => logger.error(withId(details), message),
  };
}

function redactKeys(details: Record<string, unknown>, depth: number): Record<string, unknown> {
  let hidden: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(details)) {
    const shown = REDACTED_KEYS.has(name)
      ? REDACTED
      : isPlainObject(value) && name !== 'err'
        ? redactNested(value, depth)
        : value;
    if (shown !== value) hidden = { ...(hidden ?? details), [name]: shown };
  }
  return hidden ?? details;
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !(value instanceof Date) && !(value instanceof Error);

const redactNested = (value: Record<string, unknown>, depth: number) =>
  depth > 0 ? redactKeys(value, depth - 1) : REDACTED;

/** Of an error only what helps to find it: PostgreSQL and the card network put people's data into the rest. */
function serializeError(error: unknown, depth = 2): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, constraint, table, column, statusCode, cause } = error as Error & Record<string, unknown>;
  return {
    type: error.name,
    message: redactQuoted(error.message),
    ...Object.fromEntries(
      Object.entries({ code, constraint, table, column, statusCode }).filter(([, value]) => value !== undefined),
    ),
    stack: (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)),
    ...(cause !== undefined && depth > 0 ? { cause: serializeError(cause, depth - 1) } : {}),
  };
}

// Names of tables and the like stay; what else stands in quotes is mostly what somebody sent.
function redactQuoted(message: string): string {
  return message.replace(/"(?![a-z_]{1,63}")[^"]*"?/g, '"…"');
}

function redactLine(line: string): string {
  const tidy = line.includes('@') || line.includes('%40') ? line.replace(EMAIL_PATTERN, REDACTED) : line;
  return (tidy.includes('+') ? tidy.replace(PHONE_PATTERN, REDACTED) : tidy).replace(TOKEN_PATTERN, REDACTED);
}
