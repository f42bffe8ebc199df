import type { PlantedBug } from './plantedBug.ts';

const CARD_NETWORK_OUTAGE = 'server/payments/cardNetworkOutage.test.ts';
const CIRCUIT_BREAKER = 'server/outgoing/circuitBreaker.test.ts';
const SQUARE_CLIENT = 'server/payments/squareClient.test.ts';

/** Bugs that show while a third party does not answer, or answers nonsense. */
export const OUTAGE_BUGS: readonly PlantedBug[] = [
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
