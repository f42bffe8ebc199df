import { findTallyErrors, recountTallies } from '../dashboards/tallies.sql.ts';
import { type Tx, transact } from '../db/database.ts';
import { CHECK_NAMES, findAuditProblems } from '../payments/ledger/audit.sql.ts';
import { listBalances } from '../payments/ledger/ledger.sql.ts';
import type { CommandResult } from './command.ts';

/** What a check prints. With problems it has failed. */
export type CheckResult = CommandResult & { readonly problems: readonly string[] };

/** Reads the whole database, and reports everything that is wrong with its money. */
export async function checkLedger(tx: Tx): Promise<CheckResult> {
  const faults = await findAuditProblems(tx);
  const lines = (await listBalances(tx)).map(({ account, people, cents }) => {
    const owners = people > 0 ? ` (${people} people)` : '';
    return `  ${`${account}${owners}`.padEnd(32)} ${(cents / 100).toFixed(2).padStart(14)}`;
  });
  if (faults.length === 0)
    lines.push(`The ledger is right: ${CHECK_NAMES.length} checks over the whole database found no problem.`);
  const problems = faults.map(({ check, what }) => `WRONG: ${check}: ${what}`);
  const advice = [
    `The ledger is wrong: ${faults.length} findings, up to 50 per check.`,
    "For what is wrong with an order's money: npm run operator -- preview-adjustment <order>",
  ];
  return { text: lines.join('\n'), problems: faults.length === 0 ? [] : [...problems, ...advice] };
}

/** Recounts the tallies that dashboards and totals read, and reports those that are wrong. With `isFix` it corrects them. */
export async function checkTallies(tx: Tx, isFix: boolean): Promise<CheckResult> {
  const wrong = (await findTallyErrors(tx)).map((what) => `WRONG: ${what}`);
  if (wrong.length === 0) return { text: 'The tallies are right: a recount gives the same numbers.', problems: [] };
  if (!isFix) {
    const advice = 'The tallies are wrong (up to 50 findings each). Correct them with `-- --fix`.';
    return { text: '', problems: [...wrong, advice] };
  }
  await transact(tx, recountTallies);
  return { text: [...wrong, 'The tallies were recounted and corrected.'].join('\n'), problems: [] };
}
