// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code
import type { PlantedBug } from './plantedBug.ts';

const VISIBILITY = 'promises/visibility.test.ts';
const RECEIPTS = 'server/payments/receipts.test.ts';
const ANSWER_FIELDS = 'server/db/answerFields.test.ts';

/** Bugs in what people see of each other, in where they may search, and in their addresses. */
export const PRIVACY_BUGS: readonly PlantedBug[] = [
  {
    bug: 'the demo password of a server that others could reach is in the public configuration',
    file: 'scripts/demo/openAccounts.ts',
    find: ' && password === DEMO_PASSWORD ? password',
    replace: ' ? password',
    suite: 'scripts/demo/openAccounts.test.ts',
  },
  {
    bug: 'a review about somebody who is not of the demo is on the landing page',
    file: 'server/reviews/reviews.sql.ts',
    find: "    .where('reviewed.email', 'in', emails)\n",
    replace: '',
    suite: 'server/reviews/demoReviews.test.ts',
  },
  {
    bug: 'a Scrub keeps the contacts of a Bud whose order was called off',
    file: 'server/visibility/viewRules.sql.ts',
    find: 'const budContacts = isCareful ? sql`(${IS_AGREED} and ${isRecent(viewer)})` : IS_OPEN_TO_SCRUB;',
    replace: 'const budContacts = isCareful ? sql`(${IS_AGREED} and ${isRecent(viewer)})` : ALWAYS;',
    suite: VISIBILITY,
  },
  {
    bug: 'the policy careful does not round places',
    file: 'server/visibility/addresses.sql.ts',
    find: 'return ifElse(isExact, exact, approximate);',
    replace: 'return ifElse(ALWAYS, exact, approximate);',
    suite: VISIBILITY,
  },
  {
    bug: 'a Bud reads the receipt of somebody else',
    file: 'server/payments/receipts.sql.ts',
    find: "    .where('o.bud_id', '=', bud)\n",
    replace: '',
    suite: RECEIPTS,
  },
  {
    bug: 'a dashboard shows open orders to callers who did not ask for them',
    file: 'contract/answerFields.ts',
    find: "if (text === '') return { fields: defaultFields(schema) };",
    replace: "if (text === '') return { fields: ALL_FIELDS };",
    suite: 'server/dashboards/dashboards.test.ts',
  },
  {
    bug: 'two addresses that are added at the same time both fit where there is room for one',
    file: 'server/places/places.ts',
    find: '        await lockAddresses(tx, caller.id);\n',
    replace: '',
    suite: 'server/places/addresses.test.ts',
  },
  {
    bug: 'an order can be placed with an address that was deleted meanwhile',
    file: 'server/payments/payments.sql.ts',
    find: "from addresses a where a.id = (${draft}::jsonb #>> '{budAddress,id}')::uuid and a.user_id = ${bud} for key share",
    replace: 'from (select ${bud}::uuid as user_id) a',
    suite: 'server/places/addresses.test.ts',
  },
  {
    bug: 'a Duber may search around any point of the world',
    file: 'server/deliveries/deliveries.sql.ts',
    find: '<= ${sql.lit(DUBER_SEARCH_RADIUS_M)} as "isInReach"',
    replace: '>= 0 as "isInReach"',
    suite: 'server/places/nearby.test.ts',
  },
  {
    bug: 'asking for one property of an approximate place shows the exact one',
    file: 'server/db/json.sql.ts',
    find: 'ifElse(condition, property, no[name] ?? nullJson)',
    replace: 'ifElse(condition, property, no[name] ? property : nullJson)',
    suite: ANSWER_FIELDS,
  },
  {
    bug: 'a part of an answer has properties that were not asked for',
    file: 'server/db/answerFields.ts',
    find: 'pickFields(parseSerializedJson(answer), fields)',
    replace: 'parseSerializedJson(answer)',
    suite: ANSWER_FIELDS,
  },
  {
    bug: 'every set of fields gets statements of its own',
    file: 'server/db/answerFields.ts',
    find: ': cutOut(query, asked);',
    replace: ': prepareWith(asked)(...parameters);',
    suite: ANSWER_FIELDS,
  },
  {
    bug: 'a path below a property that is named as a whole is not checked',
    file: 'contract/answerFields.ts',
    find: '    here = next;\n',
    replace: '    if (node === undefined) return undefined;\n    here = next;\n',
    suite: 'contract/answerFields.test.ts',
  },
  {
    bug: 'a route begins at a position that is three minutes old',
    file: 'server/deliveries/deliveryRoute.ts',
    find: '!isVague(position) && !isPositionStale(new Date(position.at), now())',
    replace: '!isVague(position)',
    suite: 'server/deliveries/deliveryRoute.test.ts',
  },
  {
    bug: 'exact places are sent to the router',
    file: 'server/places/streetRouter.ts',
    find: 'const ends = [roundPosition(from), roundPosition(to)] as const;',
    replace: 'const ends = [from, to] as const;',
    suite: 'server/deliveries/deliveryRoute.test.ts',
  },
];
