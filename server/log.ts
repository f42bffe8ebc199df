import { AsyncLocalStorage } from 'node:async_hooks';
import pino, { type DestinationStream, type LevelWithSilent, type Logger } from 'pino';

export type Log = {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
};

const REDACTED = '[private]';

/** Values under these names are never logged. */
const REDACTED_KEYS = new Set(
  `address authorization authToken body code codeHash cookie detail email emailKey emailOtp fullname headers instructions
   link message newPassword orderInstructions password passwordHash paymentSourceId phone query recipient sourceId
   subject text token verificationToken`.split(/\s+/),
);
const REDACTION_DEPTH = 4;

// Anything that looks like an e-mail address, a phone number or one of our tokens.
const WORD_PATTERN = /[^\s"'<>\\/?&,;()]+/g;
const PHONE_PATTERN = /\+\d{8,15}(?!\d)/g;
const TOKEN_PATTERN = /[\w-]+/g;
const MIN_TOKEN_LENGTH = 40;

/** Creates the server's logger. It writes JSON lines without private data to `destination`, by default stdout. */
export function createLogger(level: LevelWithSilent, destination?: DestinationStream): Logger {
  const options = {
    level,
    serializers: { err: serializeError },
    formatters: { log: (details: Record<string, unknown>) => redactKeys(details, REDACTION_DEPTH) },
    // The last check: finds private data in texts by its form, such as in an error message.
    hooks: { streamWrite: redactLine },
  };
  return destination ? pino(options, destination) : pino(options);
}

const currentRequestId = new AsyncLocalStorage<string>();

/** Runs the work of a request. Everything it logs through `createRequestLog` carries the request's id. */
export function withRequestId<T>(requestId: string, work: () => T): T {
  return currentRequestId.run(requestId, work);
}

/** The id of the request that is being answered, if there is one. */
export const readRequestId = (): string | undefined => currentRequestId.getStore();

/** A log whose lines carry the id of the current request, if there is one. */
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
  let redacted: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(details)) {
    const shown = REDACTED_KEYS.has(name)
      ? REDACTED
      : isPlainObject(value) && name !== 'err'
        ? redactNested(value, depth)
        : value;
    if (shown !== value) redacted = { ...(redacted ?? details), [name]: shown };
  }
  return redacted ?? details;
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !(value instanceof Date) && !(value instanceof Error);

const redactNested = (value: Record<string, unknown>, depth: number) =>
  depth > 0 ? redactKeys(value, depth - 1) : REDACTED;

/** Keeps only the fields of an error that help to find it. PostgreSQL and Square put personal data into others. */
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

// Quoted names of tables and columns stay. Other quoted text is mostly user input.
function redactQuoted(message: string): string {
  return message.replace(/"[^"]*"?/g, (quoted) => (/^"[a-z_]{1,63}"$/.test(quoted) ? quoted : '"…"'));
}

/** Redacts a word from the start of an e-mail address in it to its end. In two steps, because one pattern would backtrack. */
function redactEmail(word: string): string {
  const before = word.search(/[^:=](?:@|%40)/);
  if (before === -1 || !/\.[a-z]{2}/i.test(word.slice(before + 3))) return word;
  const start = Math.max(word.lastIndexOf(':', before), word.lastIndexOf('=', before)) + 1;
  return word.slice(0, start) + REDACTED;
}

function redactLine(line: string): string {
  const withoutEmails = line.includes('@') || line.includes('%40') ? line.replace(WORD_PATTERN, redactEmail) : line;
  const withoutPhones = withoutEmails.includes('+') ? withoutEmails.replace(PHONE_PATTERN, REDACTED) : withoutEmails;
  return withoutPhones.replace(TOKEN_PATTERN, (word) => (word.length < MIN_TOKEN_LENGTH ? word : REDACTED));
}
