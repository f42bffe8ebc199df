import { findTallyErrors, recountTallies } from '../dashboards/tallies.sql.ts';
import { transact } from '../db/database.ts';
import { describeError } from './commandError.ts';
import { openDatabase } from './openDatabase.ts';

// `npm run tallies:check`: counts anew what dashboards and totals read, and says where the running counts are wrong;
// with `-- --mend` it puts them right. Nobody can write meanwhile.
async function run(): Promise<number> {
  const isMending = process.argv.includes('--mend');
  const database = await openDatabase(process.env);
  try {
    const wrong = await database.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((tx) => findTallyErrors(tx));
    for (const what of wrong) console.error(`WRONG: ${what}`);
    if (wrong.length === 0) console.log('The tallies are right: counted anew, everything comes out the same.');
    else if (isMending) {
      await transact(database.db, recountTallies);
      console.log('The tallies were counted anew.');
    } else console.error('The tallies are wrong, at most 50 findings each: run it with `-- --mend`.');
    return wrong.length === 0 || isMending ? 0 : 1;
  } finally {
    await database.close();
  }
}

run().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(`rubadub tallies:check: ${describeError(error)}`);
    process.exit(2);
  },
);
