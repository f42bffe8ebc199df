// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code
import type { PlantedBug } from './plantedBug.ts';

const CLAIM_TIME = 'server/payments/claimTime.test.ts';
const OFFER_COVER = 'server/cases/offerCover.test.ts';

/** Bugs in what is payable while somebody may still claim it, and in what covers an offer. */
export const TRUST_BUGS: readonly PlantedBug[] = [
  {
    bug: 'workers are paid for what goes back to the card on the next day',
    file: 'server/payments/payouts.sql.ts',
    find: 'holdOfLine(payee, now)',
    replace: 'ownHoldOfLine(payee.before ?? now)',
    suite: CLAIM_TIME,
  },
  {
    bug: 'what is paid out and may still go back uses no trust',
    file: 'server/payments/claimTime.sql.ts',
    find: 'sum(greatest(0, o.paid + least(0, o.due)))',
    replace: 'sum(0 * o.paid)',
    suite: CLAIM_TIME,
  },
  {
    bug: 'fees that a promo code has paid earn trust',
    file: 'server/payments/claimTime.sql.ts',
    find: ' - p.discount + p.discount_reduced',
    replace: '',
    suite: CLAIM_TIME,
  },
  {
    bug: 'a Scrub without money cleans again, and owes it',
    file: 'server/cases/caseMoney.ts',
    find: "(offer === 'clean-again' ? ways : (offerCents ?? 0))",
    replace: "(offer === 'clean-again' ? Math.min(ways, free) : (offerCents ?? 0))",
    suite: OFFER_COVER,
  },
  {
    bug: 'what cleaning again costs is paid out to the Scrub before',
    file: 'server/cases/caseMoney.ts',
    find: '    await reserveWays(tx, { caseId, userId, cents: cover.ways }, at);\n',
    replace: '    await reserveWays(tx, { caseId, userId, cents: 0 }, at);\n',
    suite: OFFER_COVER,
  },
];
