import { caseNumber, parseCaseNumber } from '../../domain/cases.ts';
import { ageText } from '../../domain/claims.ts';
import { formatDollars } from '../../domain/payments.ts';
import type { Point } from '../../domain/places.ts';
import { type CaseRow, findCaseByNumber, listCasesOfTown, listEvents, listItems } from '../cases/cases.sql.ts';
import { closeCase, type DecisionResult } from '../cases/decideCase.ts';
import { listDubers, listEventsForTown } from '../cases/townCases.ts';
import type { Tx } from '../db/database.ts';
import { NO_CASE_COMMAND, readCaseArguments, readCaseReason } from './caseArguments.ts';
import { type CommandContext, type CommandResult, refuseWithoutOperators, runCommandAct } from './commandAct.ts';
import { CommandError } from './commandError.ts';

const MAX_LISTED = 100;

/** Runs `case …` and returns what it prints. */
export async function runCaseCommand(
  context: CommandContext,
  args: readonly string[],
): Promise<string | CommandResult> {
  const { db } = context;
  const { action, number, values } = readCaseArguments(args);
  if (action === 'list') return (await listCases(db)) ?? 'No case waits for the town.';
  const no = parseCaseNumber(number);
  const row = no === undefined ? undefined : await findCaseByNumber(db, no);
  if (!row) throw new CommandError(`there is no case "${number}": case list shows them`);
  if (action === 'show') return printCase(db, row);
  // A refund may need a second operator.
  if (action === 'decide') return refuseWithoutOperators(context);
  if (action !== 'close') throw new CommandError(NO_CASE_COMMAND);
  const reason = readCaseReason(values.reason);
  const act = { action: 'case close', subject: { kind: 'case', id: row.id }, reason } as const;
  return runCommandAct(context, act, async (inside) => {
    const result = await closeCase(inside, { caseId: row.id, reason, name: context.user });
    return { text: printResult(result, `${caseNumber(row.no)} is closed.`) };
  });
}

function printResult(result: DecisionResult, done: string): string {
  if (!result.ok) throw new CommandError(result.why);
  return done;
}

/** The cases that wait for the town, urgent ones first; undefined when none does. */
export async function listCases(db: Tx): Promise<string | undefined> {
  const rows = await listCasesOfTown(db, MAX_LISTED + 1);
  if (rows.length === 0) return undefined;
  const listed = printList(rows.slice(0, MAX_LISTED));
  return rows.length > MAX_LISTED ? `${listed}\nThere are more: these are the first ${MAX_LISTED}.` : listed;
}

function printList(rows: readonly CaseRow[]): string {
  return rows
    .map(({ no, kind, priority, orderId, createdAt, askedCents }) => {
      const asked = askedCents > 0 ? `, ${formatDollars(askedCents)} asked` : '';
      const urgent = priority === 'high' ? 'URGENT ' : '';
      return `${caseNumber(no)}  ${urgent}${kind}, order ${orderId ?? 'none'}, since ${createdAt.toISOString()}${asked}`;
    })
    .join('\n');
}

/** A place as `step … relay` takes it. */
const printPlace = (place: Point | null | undefined) =>
  place ? [`    at --latitude ${place.latitude} --longitude ${place.longitude}`] : [];

async function printCase(db: Tx, row: CaseRow): Promise<string> {
  const items = (await listItems(db, row.id)).map(
    ({ n, what, kind, worth, ageMonths, asked, decided }) =>
      `  item ${n}: ${what}, ${kind}, $${worth.toFixed(2)} new, ${ageText(ageMonths)}, $${asked.toFixed(2)} asked${decided === null ? '' : `, $${decided.toFixed(2)} decided`}`,
  );
  const forTown = await listEventsForTown(db, row.id, true);
  const events = (await listEvents(db, row.id)).flatMap(
    ({ action, by, status, words, offer, amount, fileIds, createdAt }, index) => [
      `  ${createdAt}  ${action} by ${by}: ${status}${offer ? `, ${offer}` : ''}${amount === null ? '' : ` $${amount.toFixed(2)}`}${fileIds.length > 0 ? `, ${fileIds.length} photos` : ''}`,
      ...(words ? words.split('\n').map((line) => `    ${line}`) : []),
      ...printPlace(forTown[index]?.place),
    ],
  );
  const carriers = (await listDubers(db, row.orderId)).map(
    ({ deliveryId, name }) => `  ${name} carried the laundry in delivery ${deliveryId}`,
  );
  const [about] = printList([row]).split('\n');
  return [about, `  ${row.status}, delivery ${row.deliveryId ?? 'none'}`, ...carriers, ...items, ...events].join('\n');
}
