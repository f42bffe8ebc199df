import type { Mutant } from './mutant.ts';

/** Sessions, passwords, codes and passkeys. */
export const SESSION_MUTANTS: readonly Mutant[] = [
  {
    mutant: 'a stream at another server outlives the sign-out',
    at: 'server/events/liveEvents.ts#openLiveEvents.endStreamsOf',
    skip: 'notifySessionsEnded',
    suite: 'server/events/events.test.ts',
  },
  {
    mutant: 'a session that is in use never expires',
    at: 'server/db/query.sql.ts#isLiveSession',
    remove: 'and s.created_at > ${secondsBefore(now, SESSION_MAX_AGE_S)}',
    suite: 'server/accounts/credentials.test.ts',
  },
  {
    mutant: 'two changes of a password at once both succeed',
    at: 'server/auth/credentials.sql.ts#replacePassword',
    skip: 'where[password_hash]',
    suite: 'server/accounts/credentials.test.ts',
  },
  {
    mutant: 'a session of somebody else can be ended by its id',
    at: 'server/accounts/sessionList.sql.ts#deleteSessionById',
    skip: 'where[s.user_id]',
    suite: 'server/accounts/credentials.test.ts',
  },
  {
    mutant: 'a session that was ended can still read',
    at: 'server/db/query.sql.ts#prepareSelect.inSession',
    replace: [
      'from sessions s',
      'from (select ${now}::timestamptz as last_used_at, ${now}::timestamptz as created_at, ${tokenHash}::bytea as token_hash, ${userId}::uuid as user_id) s',
    ],
    suite: 'server/accounts/accounts.test.ts',
  },
  {
    mutant: 'another site makes a browser send the cookie of the console',
    at: 'server/operator/sessionCookie.ts#readSessionToken.token',
    becomes: 'readCookie(request.headers.cookie)',
    suite: 'server/operator/sessionCookie.test.ts',
  },
  {
    mutant: 'a cookie is accepted as a token',
    at: 'server/http/request.ts#readBearerToken',
    replace: [
      "request.headers.authorization ?? ''",
      "request.headers.authorization ?? (request.headers.cookie ?? '').replace('auth-token=', 'Bearer ')",
    ],
    suite: 'promises/unintendedSteps.test.ts',
  },
  {
    mutant: 'the token of a suspended person stays alive',
    at: 'server/operator/suspend.ts#restrictPerson',
    skip: 'signOut',
    suite: 'server/operator/suspend.test.ts',
  },
  {
    mutant: 'a login without an account skips the password hash',
    at: 'server/auth/secrets.ts#verifyPassword',
    replace: [
      'const against = hash ?? (await decoyHash);',
      'if (hash === undefined) return false; const against = hash;',
    ],
    suite: 'promises/guessing.test.ts',
  },
  {
    mutant: 'wrong passwords are not rate-limited',
    at: 'server/auth/signInAttempts.sql.ts#FREE_TRIES',
    becomes: '5_000',
    suite: 'promises/guessing.test.ts',
  },
  {
    mutant: 'wrong codes do not use up attempts',
    at: 'server/accounts/accounts.sql.ts#takeSignUpCodeTry',
    set: ['tries_left', "eb('tries_left', '-', 0)"],
    suite: 'promises/guessing.test.ts',
  },
  {
    mutant: 'an answer reveals who has an account',
    at: 'server/accounts/passwordResets.ts#requestPasswordReset',
    replace: [
      'await insertResetRequest(',
      "if (!(await findAccountByEmail(db, email))) refuse('notFound'); await insertResetRequest(",
    ],
    suite: 'promises/guessing.test.ts',
  },
  {
    mutant: 'a sign-in with the old password survives a reset',
    at: 'server/auth/sessions.sql.ts#insertSession',
    skip: 'where[password_hash]',
    suite: 'server/accounts/signIn.test.ts',
  },
  {
    mutant: 'a tax number is changed without the password',
    at: 'server/payments/payouts/taxIds.ts#taxIdHandlers.changeTaxId.user',
    replace: [
      "property: 'password', from })",
      "property: 'password', from }).catch(() => ({ fullname: 'Sid', email: 'sid@rubadub.test' }))",
    ],
    suite: 'server/payments/payouts/taxIds.test.ts',
  },
  {
    mutant: 'the answer of a passkey counts twice',
    at: 'server/operator/passkeys.sql.ts#consumeChallenge',
    replace: [
      "{ numDeletedRows } = await tx.deleteFrom('passkey_challenges')",
      "{ numUpdatedRows: numDeletedRows } = await tx.updateTable('passkey_challenges').set({ purpose })",
    ],
    suite: 'server/operator/passkeys.test.ts',
  },
  {
    mutant: 'a passkey that was used on another site is accepted',
    at: 'server/operator/passkeys.ts#consumePasskey',
    set: ['expectedOrigin', "JSON.parse(Buffer.from(used.response.clientDataJSON, 'base64url').toString()).origin"],
    suite: 'server/operator/passkeys.test.ts',
  },
  {
    mutant: 'a thief of a session adds a passkey of their own',
    at: 'server/operator/passkeyHandlers.ts#passkeyHandlers.refuseUnlessConfirmed',
    skip: 'refuse[codeTooOld]',
    suite: 'server/operator/passkeys.test.ts',
  },
  {
    mutant: 'a lost passkey still signs in after the second factor was reset',
    at: 'server/operator/operators.sql.ts#removeSecondFactors',
    remove: "'passkeys'",
    suite: 'server/operator/passkeys.test.ts',
  },
  {
    mutant: 'an act that moves money is taken with an old code',
    at: 'server/operator/acts.ts#takeNewAct',
    skip: 'refuse[codeTooOld]',
    suite: 'server/operator/movedMoney.test.ts',
  },
  {
    mutant: 'the demo password of a server that others can reach is in the public configuration',
    at: 'scripts/demo/openAccounts.ts#readOpenPassword',
    remove: 'password === DEMO_PASSWORD',
    suite: 'scripts/demo/openAccounts.test.ts',
  },
];
