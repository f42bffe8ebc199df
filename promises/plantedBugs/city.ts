// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code

import type { PlantedBug } from './plantedBug.ts';

const CITY = 'promises/city.test.ts';
const planted = { suite: CITY, cases: 40 };

/** Bugs that simulated people must notice, however they happen to live. */
export const CITY_BUGS: readonly PlantedBug[] = [
  {
    bug: 'nobody tells the Scrub of a new status of their order',
    file: 'server/events/publish.ts',
    find: "const PEOPLE_OF_ORDER = peopleOfOrder(['Bud', 'Scrub']);",
    replace: "const PEOPLE_OF_ORDER = peopleOfOrder(['Bud']);",
    ...planted,
  },
  {
    bug: 'every mail is sent twice',
    file: 'server/mail/mailer.ts',
    find: 'await circuit.run(() => open.sendMail({ from: config.mailFrom, to, subject, text, html, messageId, headers }));',
    replace:
      'for (const _ of [1, 2]) await circuit.run(() => open.sendMail({ from: config.mailFrom, to, subject, text, html, messageId, headers }));',
    ...planted,
  },
  {
    bug: 'a Scrub is paid for laundry that nobody has seen',
    file: 'server/payments/payoutHolds.sql.ts',
    find: 'const until = isOnItsWay ? null : new Date(at.getTime() + SEEN_AFTER_MS);',
    replace: "if (orderId !== '') return;\n  const until = at;",
    ...planted,
  },
  {
    bug: 'a Scrub gets a cent less for each order, and the platform a cent more',
    file: 'domain/ledger.ts',
    find: "credit('scrub', loadPrice, scrubId),\n    credit('platform-revenue', platformFee),",
    replace: "credit('scrub', loadPrice - 1, scrubId),\n    credit('platform-revenue', platformFee + 1),",
    ...planted,
  },
];
