// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code
import type { PlantedBug } from './plantedBug.ts';

const SUSPEND = 'server/operator/suspend.test.ts';
const PEOPLE = 'server/operator/people.test.ts';
const RACES = 'server/operator/peopleRaces.test.ts';

/** Bugs in what operators see of people, and keep them from. */
export const PEOPLE_BUGS: readonly PlantedBug[] = [
  {
    bug: 'the token of a suspended person stays alive',
    file: 'server/operator/suspend.ts',
    find: "  if (hold.kind === 'sign-in') await signOut(context, person.id);\n",
    replace: '',
    suite: SUSPEND,
  },
  {
    bug: 'the live stream of a suspended person goes on',
    file: 'server/operator/suspend.ts',
    find: '  endStreamsOf(userId);\n',
    replace: '',
    suite: SUSPEND,
  },
  {
    bug: 'a suspended person signs in again',
    file: 'server/accounts/signIn.ts',
    find: '    if (obstacles.heldReason !== null) refuseHeldFor(context, obstacles.heldReason);\n',
    replace: '',
    suite: SUSPEND,
  },
  {
    bug: 'a Scrub who is reinstated is not found any more',
    file: 'server/operator/reinstate.ts',
    find: '  await updateScrubVisibility(tx, person);\n',
    replace: '',
    suite: SUSPEND,
  },
  {
    bug: 'a Scrub who is suspended makes themselves visible again',
    file: 'server/accounts/accounts.sql.ts',
    find: "u.is_active and not ${isHeldFrom('new-work', sql`u.id`)}",
    replace: 'u.is_active',
    suite: SUSPEND,
  },
  {
    bug: 'who has suspended somebody also reinstates them',
    file: 'server/operator/reinstate.ts',
    find: 'if (suspension.setBy === operator.id)',
    replace: 'if (suspension.setBy === undefined)',
    suite: SUSPEND,
  },
  {
    bug: 'what a suspended person is owed is paid out',
    file: 'server/payments/payoutHolds.sql.ts',
    find: "case when ${isHeldFrom('payout', sql`l.party`)} then 'account' end",
    replace: 'null',
    suite: SUSPEND,
  },
  {
    bug: 'a suspended Duber has offers',
    file: 'server/deliveries/deliveries.sql.ts',
    find: " and not ${isHeldFrom('new-work', duber)}",
    replace: '',
    suite: SUSPEND,
  },
  {
    bug: 'work that a person takes while they are suspended is not decided about',
    file: 'server/operator/suspend.ts',
    find: 'if (missing.length > 0)',
    replace: 'if (missing.length > 1_000)',
    suite: RACES,
  },
  {
    bug: 'an order is placed at a Scrub who is being suspended',
    file: 'server/db/migrations/034_people.ts',
    find: "    if exists (select from holds where user_id = worker and kind = 'new-work' and lifted_at is null) then",
    replace: '    if false then',
    suite: RACES,
  },
  {
    bug: 'the card of an order that is refused at the last moment keeps its hold',
    file: 'server/orders/placeOrder.ts',
    find: 'if (isHeldWork(error) && (await releaseUnwantedHold(db, orderId, hold, now()))) wake',
    replace: 'if (isHeldWork(error)) wake',
    suite: RACES,
  },
  {
    bug: 'a contact that one operator has asked for is shown to all',
    file: 'server/operator/people.sql.ts',
    find: ' and operator_id = ${operatorId}',
    replace: '',
    suite: PEOPLE,
  },
  {
    bug: 'one operator alone lifts a hold of payouts',
    file: 'server/operator/peopleActs.ts',
    find: "needsApproval: ({ body: { kind } }) => kind === 'payout',",
    replace: 'needsApproval: () => false,',
    suite: PEOPLE,
  },
];
