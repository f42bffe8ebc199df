import type { PlantedBug } from './plantedBug.ts';

const CARD_NETWORK_OUTAGE = 'server/payments/cardNetworkOutage.test.ts';
const CIRCUIT_BREAKER = 'server/outgoing/circuitBreaker.test.ts';
const SQUARE_CLIENT = 'server/payments/squareClient.test.ts';

/** Bugs that show while a third party does not answer, or answers nonsense. */
export const OUTAGE_BUGS: readonly PlantedBug[] = [
  {
    bug: 'a mail is given up because our own password is wrong',
    file: 'server/mail/mailer.ts',
    find: 'return { why, isFinal: isRefusedRecipient(failure) };',
    replace: 'return { why, isFinal: (failure.responseCode ?? 0) >= 500 };',
    suite: 'server/notifications/mailTrouble.test.ts',
  },
  {
    bug: 'a mail that may be with a worker is sent again',
    file: 'server/notifications/outbox.sql.ts',
    find: 'const afterLeases = new Date(now.getTime() + LEASE_S * 1000);',
    replace: 'const afterLeases = now;',
    suite: 'server/notifications/mailTrouble.test.ts',
  },
  {
    bug: 'a code is sent after it has expired',
    file: 'server/notifications/send.ts',
    find: 'if (renderedMail.expiresAt !== undefined && Date.parse(renderedMail.expiresAt) <= now().getTime())',
    replace: 'if (renderedMail.expiresAt === undefined && id === recipient)',
    suite: 'server/notifications/mailTrouble.test.ts',
  },
  {
    bug: 'a backup has the text of mails that were given up',
    file: 'server/db/backup/tables.sql.ts',
    find: 'due_at is not null or rendered_mail is not null',
    replace: 'due_at is not null',
    suite: 'server/commands/backup.test.ts',
  },
  {
    bug: 'who already waits for a card network that hangs goes on waiting',
    file: 'server/outgoing/circuitBreaker.ts',
    find: 'for (const call of waiting) call.abort(new CircuitOpenError(name, whyUnanswered));',
    replace: '',
    suite: CARD_NETWORK_OUTAGE,
  },
  {
    bug: 'the first customer after an outage is refused',
    file: 'server/outgoing/circuitBreaker.ts',
    find: 'if (await probeForCalls()) change(false);',
    replace: '',
    suite: CARD_NETWORK_OUTAGE,
  },
  {
    bug: 'orders wait for a card network that is known to hang',
    file: 'server/outgoing/circuitBreaker.ts',
    find: 'if (isOpen) throw new CircuitOpenError(name, whyUnanswered);',
    replace: '',
    suite: CARD_NETWORK_OUTAGE,
  },
  {
    bug: 'a server is not ready while the card network hangs',
    file: 'server/http/health.ts',
    find: 'if (await isReadOnly(database.stepDb))\n',
    replace: 'if (thirdParties.cardNetwork.isOpen() || (await isReadOnly(database.stepDb)))\n',
    suite: CARD_NETWORK_OUTAGE,
  },
  {
    bug: 'a call shares a probe that has hung since before the recovery',
    file: 'server/outgoing/circuitBreaker.ts',
    find: '      quickProbe = undefined;\n      return isAnswered(quickProbeMs);',
    replace: '      return isAnswered(quickProbeMs);',
    suite: CARD_NETWORK_OUTAGE,
  },
  {
    bug: 'refused cards open the circuit',
    file: 'server/outgoing/circuitBreaker.ts',
    find: 'if (!isOpen && isUnanswered(error))',
    replace: 'if (!isOpen)',
    suite: CIRCUIT_BREAKER,
  },
  {
    bug: 'a page of a proxy counts as an answer of the card network',
    file: 'server/payments/squareClient.ts',
    find: 'throw new SquareRefusalError(status, errorAnswer.parse(answer));',
    replace: "throw new SquareRefusalError(status, { errors: [{ code: 'UNKNOWN' }], ...(answer as object) });",
    suite: SQUARE_CLIENT,
  },
  {
    bug: 'a hold is sent without its version of the API',
    file: 'server/payments/squareClient.ts',
    find: "'square-version': SQUARE_VERSION, ",
    replace: '',
    suite: SQUARE_CLIENT,
  },
];
