import { parseArgs } from 'node:util';
import { LIABLE_PARTIES, type LiableParty } from '../../domain/ledger.ts';
import { formatDollars } from '../../domain/payments.ts';
import { parseCents } from './amounts.ts';
import { CommandError } from './commandError.ts';
import { readOptions } from './readOptions.ts';

/** The decision about one item of a case. */
type DecidedItem = {
  readonly n: number;
  readonly cents: number;
  readonly liable: LiableParty;
  /** Whose Duber bears it. */
  readonly deliveryId?: string;
};

/** What was typed after `case`. The options of an item come once for each item. */
export function readCaseArguments(rest: readonly string[]) {
  const one = { type: 'string' } as const;
  const several = { type: 'string', multiple: true } as const;
  const { positionals, values } = readOptions(() =>
    parseArgs({
      args: [...rest],
      allowPositionals: true,
      options: { item: several, amount: several, liable: several, delivery: one, reason: one },
    }),
  );
  const [action = 'list', number = ''] = positionals;
  return { action, number, values };
}

/** The text that the people of the case read. */
export function readCaseReason(reason: string | undefined): string {
  if (!reason?.trim()) throw new CommandError('--reason is missing: the people of the case read it');
  return reason.trim();
}

export const NO_CASE_COMMAND = 'case list, case show, case decide, or case close';

type Flags = Partial<Readonly<Record<'item' | 'amount' | 'liable', string[] | undefined>>> & {
  readonly delivery?: string | undefined;
};

export function parseItems({ item = [], amount = [], liable = [], delivery }: Flags): DecidedItem[] {
  if (item.length !== amount.length || item.length !== liable.length)
    throw new CommandError('name --item, --amount and --liable for each item');
  if (delivery !== undefined && !liable.includes('duber'))
    throw new CommandError('--delivery says which Duber bears an item: name one with --liable duber');
  return item.map((n, index) => {
    const party = liable[index] as LiableParty;
    if (!/^[1-9]\d?$/.test(n)) throw new CommandError(`"${n}" is not the number of an item`);
    const cents = parseCents(amount[index] ?? '');
    if (!LIABLE_PARTIES.includes(party)) throw new CommandError(`--liable must be one of ${LIABLE_PARTIES.join(', ')}`);
    const ofDuber = party === 'duber' && delivery !== undefined ? { deliveryId: delivery } : {};
    return { n: Number(n), cents, liable: party, ...ofDuber };
  });
}

export const describeDecision = (items: readonly DecidedItem[]): string =>
  items.map(({ n, cents, liable }) => `item ${n} ${formatDollars(cents)} by the ${liable}`).join(', ') ||
  'nothing is given back';
