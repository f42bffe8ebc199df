import { checkLedger } from './checks.ts';
import { runCheck } from './runCheck.ts';

// `npm run ledger:check` reads the whole database and reports everything that is wrong with its money.
await runCheck(
  {
    name: 'ledger:check',
    run: (db) => db.transaction().setIsolationLevel('repeatable read').execute(checkLedger),
  },
  process.env,
);
