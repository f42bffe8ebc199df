import { checkTallies } from './checks.ts';
import { runCheck } from './runCheck.ts';

// `npm run tallies:check` recounts the tallies that dashboards and totals read, and reports those that are wrong.
// With `-- --fix` it corrects them, and blocks writes meanwhile.
const isFix = process.argv.includes('--fix');
await runCheck(
  { name: 'tallies:check', words: isFix ? ['fix'] : [], run: (db) => checkTallies(db, isFix) },
  process.env,
);
