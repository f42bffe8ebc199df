// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code

import type { PlantedBug } from './plantedBug.ts';

const ACCESS = 'server/http/access.test.ts';
const HISTORY = 'server/deliveries/history.test.ts';
const MIGRATE = 'server/db/migrate.test.ts';
const TIMERS = 'server/orders/orderTimers.test.ts';
const WORKFLOW_MODEL = 'promises/workflowModel.test.ts';

/** Bugs in the rows of the System, the history and the timers. */
export const WORKFLOW_BUGS: readonly PlantedBug[] = [
  {
    bug: 'a row of the System is a call',
    file: 'domain/workflow.ts',
    find: '(ROLES as readonly string[]).includes(row.by));',
    replace: "[...ROLES, 'System'].includes(row.by));",
    suite: ACCESS,
  },
  {
    bug: 'the history of a delivery has no key',
    file: 'server/db/migrations/019_history.ts',
    find: 'create unique index concurrently delivery_steps_once_an_attempt',
    replace: 'create index concurrently delivery_steps_once_an_attempt',
    suite: HISTORY,
  },
  {
    bug: 'the history of an order has no key',
    file: 'server/db/migrations/019_history.ts',
    find: 'create unique index concurrently order_steps_once_a_round',
    replace: 'create index concurrently order_steps_once_a_round',
    suite: HISTORY,
  },
  {
    bug: 'a step does not say its attempt',
    file: 'server/deliveries/deliverySteps.sql.ts',
    find: 'select m.id, m.attempt, ${action}::text',
    replace: 'select m.id, 1, ${action}::text',
    suite: HISTORY,
  },
  {
    bug: 'a migration waits for tables in a row while steps use them',
    file: 'server/db/migrations/019_history.ts',
    find: '...LOCKS, ',
    replace: '...LOCKS.slice(1), ',
    suite: MIGRATE,
  },
  {
    bug: 'a migration waits for the ledger while it has the orders',
    file: 'server/db/migrations/019_history.ts',
    find: 'delivery_steps, ledger_entries in access',
    replace: 'delivery_steps in access',
    suite: MIGRATE,
  },
  {
    bug: 'nobody can take a step while an index of the history is made',
    file: 'server/db/migrations/019_history.ts',
    find: 'create unique index concurrently order_steps_once_a_round',
    replace: 'create unique index order_steps_once_a_round',
    suite: MIGRATE,
  },
  {
    bug: 'an index that a crash left unfinished stays so',
    file: 'server/db/largeIndexes.sql.ts',
    find: 'sql`i.indisvalid`',
    replace: 'sql`true`',
    suite: MIGRATE,
  },
  {
    bug: 'a timer that a step starts again keeps its old time',
    file: 'server/jobs/timers.sql.ts',
    find: "STARTED_BEFORE = 'restart'",
    replace: "STARTED_BEFORE = 'keep'",
    suite: TIMERS,
  },
  {
    bug: 'a timer fires after the step',
    file: 'server/orders/orderTimers.ts',
    find: `    if (!(await takeTimer(tx, timer))) return;
    const row = rows.find(({ from }) => from === order?.status);
`,
    replace: `    await takeTimer(tx, timer);
    const row = rows[0] && order && { ...rows[0], from: order.status };
`,
    suite: TIMERS,
  },
  {
    bug: 'a timer that another step started again fires early',
    file: 'server/jobs/timers.sql.ts',
    find: ' and armed_by_step = ${armedByStep}',
    replace: ' and armed_by_step <= ${armedByStep}',
    suite: TIMERS,
  },
  {
    bug: 'a timer ends when a worker leases it',
    file: 'server/jobs/timers.sql.ts',
    find: 'update timers t set due_at = ${new Date(now.getTime() + TIMER_LEASE_MS)} from due d where',
    replace: 'delete from timers t using due d where',
    suite: TIMERS,
  },
  {
    bug: 'a request that nobody answers is rejected instead of cancelled',
    file: 'domain/orders.ts',
    find: "action: 'expire-request', from: 'Requested', to: 'Cancelled'",
    replace: "action: 'expire-request', from: 'Requested', to: 'Rejected'",
    suite: WORKFLOW_MODEL,
    cases: 60,
  },
];
