import { CHECK_NAMES, findAuditProblems } from '../payments/audit.sql.ts';
import { listBalances } from '../payments/ledger.sql.ts';
import { describeError } from './commandError.ts';
import { openDatabase } from './openDatabase.ts';

// `npm run ledger:check` reads the whole database and reports everything that is wrong with its money.
async function run(): Promise<number> {
  const database = await openDatabase(process.env);
  try {
    const { faults, accounts } = await database.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (tx) => ({ faults: await findAuditProblems(tx), accounts: await listBalances(tx) }));
    for (const { account, people, cents } of accounts) {
      const owners = people > 0 ? ` (${people} people)` : '';
      console.log(`  ${`${account}${owners}`.padEnd(32)} ${(cents / 100).toFixed(2).padStart(14)}`);
    }
    if (faults.length === 0) {
      console.log(`The ledger is right: ${CHECK_NAMES.length} checks over the whole database found no problem.`);
      return 0;
    }
    for (const { check, what } of faults) console.error(`WRONG: ${check}: ${what}`);
    console.error(`The ledger is wrong: ${faults.length} findings, up to 50 per check.`);
    console.error("For what is wrong with an order's money: npm run operator -- adjust <order>");
    return 1;
  } finally {
    await database.close();
  }
}

run().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(`rubadub ledger:check: ${describeError(error)}`);
    process.exit(2);
  },
);
