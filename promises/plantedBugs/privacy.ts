// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code
import type { PlantedBug } from './plantedBug.ts';

const VISIBILITY = 'promises/visibility.test.ts';

/** Bugs in what people see of each other, in where they may search, and in their addresses. */
export const PRIVACY_BUGS: readonly PlantedBug[] = [
  {
    bug: 'a Scrub keeps the contacts of a Bud whose order was called off',
    file: 'server/sights.sql.ts',
    find: 'const budContacts = isCareful ? sql`(${IS_AGREED} and ${isRecent(viewer)})` : IS_NOT_CALLED_OFF;',
    replace: 'const budContacts = isCareful ? sql`(${IS_AGREED} and ${isRecent(viewer)})` : YES;',
    suite: VISIBILITY,
  },
  {
    bug: 'the policy careful does not round places',
    file: 'server/visibility.sql.ts',
    find: 'return either(isExact, raw(isExact === YES',
    replace: 'return either(YES, raw(isExact === isExact',
    suite: VISIBILITY,
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
    find: '<= ${sql.lit(DUBER_REACH_M)} as "isInReach"',
    replace: '>= 0 as "isInReach"',
    suite: 'server/places/nearby.test.ts',
  },
];
