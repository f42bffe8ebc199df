import type { PlantedBug } from './plantedBug.ts';

const QUEUE = 'server/db/connectionQueue.test.ts';
const STEPS = 'server/db/stepPriority.test.ts';

/** Bugs that show when many people read while others take steps. */
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
];
