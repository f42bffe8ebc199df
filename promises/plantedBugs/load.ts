import type { PlantedBug } from './plantedBug.ts';

const QUEUE = 'server/db/connectionQueue.test.ts';
const STEPS = 'server/db/stepPriority.test.ts';

const EVENT_ROWS = 'server/events/eventRows.test.ts';
const EVENT_ORDER = 'server/events/eventOrder.test.ts';

/** Bugs that show when many people read while others take steps, and in how much each step writes. */
export const LOAD_BUGS: readonly PlantedBug[] = [
  {
    bug: 'reads may take every connection',
    file: 'server/db/database.ts',
    find: 'reserved: Math.min(RESERVED, Math.floor(size / 3)),',
    replace: 'reserved: 0,',
    suite: STEPS,
  },
  {
    bug: 'the session of a step is looked up behind quick reads',
    file: 'server/http/routes.ts',
    find: "isReadOnly(call) ? 'reads' : 'steps'",
    replace: "'reads'",
    suite: STEPS,
  },
  {
    bug: 'a step waits for a connection again for each statement',
    file: 'server/db/database.ts',
    find: 'return db.connection().execute(work);',
    replace: 'return work(db);',
    suite: STEPS,
  },
  {
    bug: 'reads wait while steps keep coming',
    file: 'server/db/connectionQueue.ts',
    find: 'stepsInARow >= STEPS_IN_A_ROW',
    replace: 'stepsInARow < 0',
    suite: QUEUE,
  },
  {
    bug: 'an event has a row for each person',
    file: 'server/events/publish.ts',
    find: 'exists (select from events_cleared c where c.per_person_until > now())',
    replace: 'true',
    suite: EVENT_ROWS,
  },
  {
    bug: 'servers of the previous release miss the steps of this one',
    file: 'server/events/publish.ts',
    find: 'c.per_person_until > now()',
    replace: 'c.per_person_until < now()',
    suite: EVENT_ROWS,
  },
  {
    bug: 'events come in the order in which their transactions began',
    file: 'server/db/migrations/047_event_order.ts',
    find: 'set default event_order(),',
    replace: 'set default pg_current_xact_id(),',
    suite: EVENT_ORDER,
  },
  {
    bug: 'the place of an event is from before the wait for a lock',
    file: 'server/db/migrations/047_event_order.ts',
    find: 'language plpgsql volatile',
    replace: 'language plpgsql stable',
    suite: EVENT_ORDER,
  },
  {
    bug: 'Today takes the place of an event for its transaction',
    file: 'server/operator/todayChanges.sql.ts',
    find: 'coalesce(e.written_in, e.tx)',
    replace: 'e.tx',
    suite: EVENT_ORDER,
  },
  {
    bug: 'an update is published with a status that another step may change',
    file: 'server/events/publish.ts',
    find: 'sql`for share`',
    replace: 'sql`for key share`',
    suite: EVENT_ORDER,
  },
];
