import { findTallyErrors, recountTallies } from '../dashboards/tallies.sql.ts';
import { transact } from '../db/database.ts';
import { describeError } from './commandError.ts';
import { openDatabase } from './openDatabase.ts';

// `npm run tallies:check` recounts the tallies that dashboards and totals read, and reports those that are wrong.
// With `-- --fix` it corrects them, and blocks writes meanwhile.
async function run(): Promise<number> {
  const isFix = process.argv.includes('--fix');
  const database = await openDatabase(process.env);
  try {
    const wrong = await database.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((tx) => findTallyErrors(tx));
    for (const what of wrong) console.error(`WRONG: ${what}`);
    if (wrong.length === 0) console.log('The tallies are right: a recount gives the same numbers.');
    else if (isFix) {
      await transact(database.db, recountTallies);
      console.log('The tallies were recounted and corrected.');
    } else console.error('The tallies are wrong (up to 50 findings each). Correct them with `-- --fix`.');
    return wrong.length === 0 || isFix ? 0 : 1;
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
