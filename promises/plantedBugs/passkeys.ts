import type { PlantedBug } from './plantedBug.ts';

const PASSKEYS = 'server/operator/passkeys.test.ts';
const RACES = 'server/operator/passkeyRaces.test.ts';
const [SQL, CHECKS] = ['server/operator/passkeys.sql.ts', 'server/operator/passkeys.ts'];

/** Bugs in the passkeys of operators. */
export const PASSKEY_BUGS: readonly PlantedBug[] = [
  {
    bug: 'the answer of a passkey counts twice',
    file: SQL,
    find: "  const { numDeletedRows } = await tx\n    .deleteFrom('passkey_challenges')\n",
    replace:
      "  const { numUpdatedRows: numDeletedRows } = await tx\n    .updateTable('passkey_challenges')\n    .set({ purpose })\n",
    suite: PASSKEYS,
  },
  {
    bug: 'the answer of a passkey counts after five minutes',
    file: SQL,
    find: "    .where('expires_at', '>', now)\n",
    replace: '',
    suite: PASSKEYS,
  },
  {
    bug: 'a passkey that was asked for before money signs in',
    file: SQL,
    find: "    .where('purpose', '=', purpose)\n    .where('expires_at', '>', now)\n",
    replace: "    .where('expires_at', '>', now)\n",
    suite: PASSKEYS,
  },
  {
    bug: 'the passkey of another operator is accepted',
    file: SQL,
    find: "    .where('operator_id', '=', operatorId)\n    .where('credential_id', '=', credentialId)\n",
    replace: "    .where('credential_id', '=', credentialId)\n",
    suite: PASSKEYS,
  },
  {
    bug: 'a passkey that was used on another site is accepted',
    file: CHECKS,
    find: '      expectedOrigin: site.origin,\n      expectedRPID: site.id,\n      requireUserVerification: true,\n      // The',
    replace:
      "      expectedOrigin: JSON.parse(Buffer.from(used.response.clientDataJSON, 'base64url').toString()).origin,\n      expectedRPID: site.id,\n      requireUserVerification: true,\n      // The",
    suite: PASSKEYS,
  },
  {
    bug: 'a passkey works without a finger, a face or a PIN',
    file: CHECKS,
    find: '      requireUserVerification: true,\n      // The',
    replace: '      requireUserVerification: false,\n      // The',
    suite: PASSKEYS,
  },
  {
    bug: 'a copied passkey is accepted',
    file: CHECKS,
    find: 'if (await advanceCounter(db, passkey.id, counter, now())) return true;',
    replace: 'if ((await advanceCounter(db, passkey.id, counter, now())) || counter >= 0) return true;',
    suite: PASSKEYS,
  },
  {
    bug: 'a thief of a session adds a passkey of their own',
    file: 'server/operator/passkeyHandlers.ts',
    find: "    if (!isCodeFresh(session, now())) refuse('codeTooOld');\n",
    replace: '',
    suite: PASSKEYS,
  },
  {
    bug: 'a lost passkey opens a session while the second factor is reset',
    file: 'server/operator/signIn.ts',
    find: 'if (!account.isDemo && !(await keepSecondFactor(tx, account.id)))',
    replace: 'if (account.isDemo && !(await keepSecondFactor(tx, account.id)))',
    suite: RACES,
  },
  {
    bug: 'challenges of a time when the clock was ahead keep an operator from using a passkey',
    file: SQL,
    find: "        .where('challenge_hash', '<>', challenge_hash)\n",
    replace: '',
    suite: RACES,
  },
  {
    bug: 'a lost passkey still signs in after the second factor was reset',
    file: 'server/operator/operators.sql.ts',
    find: "['second_factors', 'passkeys', 'passkey_challenges']",
    replace: "['second_factors']",
    suite: PASSKEYS,
  },
];
