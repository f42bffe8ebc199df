// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code

import type { PlantedBug } from './plantedBug.ts';

const SESSION_COOKIE = 'server/operator/sessionCookie.test.ts';
const CREDENTIALS = 'server/accounts/credentials.test.ts';
const EVENTS = 'server/events/events.test.ts';

/** Bugs in sessions, and in changes of what people sign in with. */
export const ACCOUNT_BUGS: readonly PlantedBug[] = [
  {
    bug: 'a stream at another server outlives the sign-out',
    file: 'server/events/liveEvents.ts',
    find: '      channel.notifySessionsEnded(userId);\n',
    replace: '',
    suite: EVENTS,
  },
  {
    bug: 'a session that is in use never expires',
    file: 'server/db/query.sql.ts',
    find: '\n    and s.created_at > ${secondsBefore(now, SESSION_MAX_AGE_S)}',
    replace: '',
    suite: CREDENTIALS,
  },
  {
    bug: 'two changes of a password at once both succeed',
    file: 'server/accounts/credentials.sql.ts',
    find: "\n    .where('password_hash', '=', from)",
    replace: '',
    suite: CREDENTIALS,
  },
  {
    bug: 'a session of somebody else can be ended by its id',
    file: 'server/accounts/sessionList.sql.ts',
    find: "    .where('s.user_id', '=', userId)\n    .where(sessionId",
    replace: '    .where(sessionId',
    suite: CREDENTIALS,
  },
  {
    bug: 'another site makes a browser send the cookie of the console',
    file: 'server/operator/sessionCookie.ts',
    find: 'isUserInitiated(request.headers) ? readCookie(request.headers.cookie) : undefined',
    replace: 'readCookie(request.headers.cookie)',
    suite: SESSION_COOKIE,
  },
  {
    bug: 'scripts can read the cookie of the console',
    file: 'server/operator/sessionCookie.ts',
    find: ", 'HttpOnly', 'SameSite=Strict']",
    replace: ", 'SameSite=Strict']",
    suite: SESSION_COOKIE,
  },
  {
    bug: 'a browser that renews its subscription gets the pushes of another person',
    file: 'server/notifications/notifications.ts',
    find: 'await deleteDeviceAt(tx, caller.id, digest(hrefOf(body.replaces)))',
    replace: '(await deleteDeviceAt(tx, caller.id, digest(hrefOf(body.replaces)))) || caller.id !== undefined',
    suite: 'server/notifications/unsubscribe.test.ts',
  },
  {
    bug: 'a password is stored as the system of the person writes its accents',
    file: 'server/auth/secrets.ts',
    find: 'argonHash(normalizePassword(password), ARGON2_OPTIONS)',
    replace: 'argonHash(password, ARGON2_OPTIONS)',
    suite: 'server/accounts/passwordSpelling.test.ts',
  },
];
