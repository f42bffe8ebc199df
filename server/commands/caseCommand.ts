import { parseArgs } from 'node:util';
import { caseNumber, parseCaseNumber } from '../../domain/cases.ts';
import { LIABLE_PARTIES, type LiableParty } from '../../domain/ledger.ts';
import { type CaseRow, findCaseByNumber, listCasesOfTown, listEvents, listItems } from '../cases/cases.sql.ts';
import { closeCase, decideCase, type ItemDecision, type TownResult } from '../cases/decideCase.ts';
import type { Tx } from '../db/database.ts';
import { type CommandContext, type CommandResult, runCommandAct } from './commandAct.ts';
import { CommandError } from './commandError.ts';

const MAX_LISTED = 100;

/** Runs `case …` and returns what it prints. */
export async function runCaseCommand(
  context: CommandContext,
  args: readonly string[],
): Promise<string | CommandResult> {
  const { db } = context;
  const several = { type: 'string', multiple: true } as const;
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { item: several, amount: several, liable: several, reason: { type: 'string' } },
  });
  const [action = 'list', number = ''] = positionals;
  if (action === 'list') return printList(await listCasesOfTown(db, MAX_LISTED));
  const no = parseCaseNumber(number);
  const row = no === undefined ? undefined : await findCaseByNumber(db, no);
  if (!row) throw new CommandError(`there is no case "${number}": case list shows them`);
  if (action === 'show') return printCase(db, row);
  if (action !== 'decide' && action !== 'close')
    throw new CommandError('case list, case show, case decide, or case close');
  const reason = values.reason?.trim();
  if (!reason) throw new CommandError('--reason is missing: the people of the case read it');
  const decision = { caseId: row.id, reason, name: context.user };
  const act = { action: `case ${action}`, cap: 'help', subject: { kind: 'case', id: row.id }, reason } as const;
  if (action === 'close')
    return runCommandAct(context, act, async (inside) => ({
      text: printResult(await closeCase(inside, decision), `${caseNumber(row.no)} is closed.`),
    }));
  const items = parseItems(values);
  return runCommandAct(context, { ...act, details: { items } }, async (inside) => {
    const result = await decideCase(inside, { ...decision, items });
    inside.wake('payments');
    const text = printResult(result, `${caseNumber(row.no)} is decided: ${describeDecision(items)}.`);
    return { text, cents: items.reduce((sum, { cents }) => sum + cents, 0) };
  });
}

type Flags = { item?: string[] | undefined; amount?: string[] | undefined; liable?: string[] | undefined };

function parseItems({ item = [], amount = [], liable = [] }: Flags): ItemDecision[] {
  if (item.length !== amount.length || item.length !== liable.length)
    throw new CommandError('name --item, --amount and --liable for each item');
  return item.map((n, index) => {
    const [dollars, party] = [amount[index] ?? '', liable[index] as LiableParty];
    if (!/^[1-9]\d?$/.test(n)) throw new CommandError(`"${n}" is not the number of an item`);
    if (!/^\$?\d{1,7}(\.\d{1,2})?$/.test(dollars)) throw new CommandError(`"${dollars}" is not an amount in dollars`);
    if (!LIABLE_PARTIES.includes(party)) throw new CommandError(`--liable must be one of ${LIABLE_PARTIES.join(', ')}`);
    return { n: Number(n), cents: Math.round(Number(dollars.replace('$', '')) * 100), liable: party };
  });
}

const formatDollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;

const describeDecision = (items: readonly ItemDecision[]) =>
  items.map(({ n, cents, liable }) => `item ${n} ${formatDollars(cents)} by the ${liable}`).join(', ') ||
  'nothing is given back';

function printResult(result: TownResult, done: string): string {
  if (!result.ok) throw new CommandError(result.why);
  return done;
}

function printList(rows: readonly CaseRow[]): string {
  if (rows.length === 0) return 'No case waits for the town.';
  return rows
    .map(({ no, kind, priority, orderId, createdAt, askedCents }) => {
      const asked = askedCents > 0 ? `, ${formatDollars(askedCents)} asked` : '';
      const urgent = priority === 'high' ? 'URGENT ' : '';
      return `${caseNumber(no)}  ${urgent}${kind}, order ${orderId ?? 'none'}, since ${createdAt.toISOString()}${asked}`;
    })
    .join('\n');
}

async function printCase(db: Tx, row: CaseRow): Promise<string> {
  const items = (await listItems(db, row.id)).map(
    ({ n, what, kind, worth, ageMonths, asked, decided }) =>
      `  item ${n}: ${what}, ${kind}, $${worth.toFixed(2)} new, ${ageMonths} months old, $${asked.toFixed(2)} asked${decided === null ? '' : `, $${decided.toFixed(2)} decided`}`,
  );
  const events = (await listEvents(db, row.id)).flatMap(
    ({ action, by, status, words, offer, amount, fileIds, createdAt }) => [
      `  ${createdAt}  ${action} by ${by}: ${status}${offer ? `, ${offer}` : ''}${amount === null ? '' : ` $${amount.toFixed(2)}`}${fileIds.length > 0 ? `, ${fileIds.length} photos` : ''}`,
      ...(words ? words.split('\n').map((line) => `    ${line}`) : []),
    ],
  );
  const [about] = printList([row]).split('\n');
  return [about, `  ${row.status}, delivery ${row.deliveryId ?? 'none'}`, ...items, ...events].join('\n');
}
