import { CallFailed } from '../../contract/callClient.ts';
import type { Adjustment } from '../../contract/operator/money.ts';
import { LIABLE_PARTIES, type LiableParty } from '../../domain/ledger.ts';
import { formatDollars, toCents, toDollars } from '../../domain/payments.ts';
import { parseCents } from './amounts.ts';
import { type ApiCommand, describeAct, reasonOf } from './apiCommand.ts';
import { CommandError } from './commandError.ts';
import { findOrderId } from './findOrderOrCase.ts';

const HTTP_NOT_FOUND = 404;

/** A readable message for what was not found. */
const orMissing = <T>(answer: Promise<T>, text: string): Promise<T> =>
  answer.catch((error: unknown) => {
    throw error instanceof CallFailed && error.statusCode === HTTP_NOT_FOUND ? new CommandError(text) : error;
  });

const retry: ApiCommand = async (api, { words: [word], flags }) => {
  const id = await findOrderId(api, word);
  const answer = api.retryProblem({ params: { id }, body: { reason: reasonOf(flags) } });
  return describeAct(
    await orMissing(answer, `no payment or refund ${id} waits for a person`),
    'The server tries it again within seconds.',
  );
};

const drop: ApiCommand = async (api, { words: [id = ''], flags }) => {
  const answer = api.dropRefund({ params: { id }, body: { reason: reasonOf(flags) } });
  return describeAct(
    await orMissing(answer, `no refund ${id} waits for a person`),
    'The refund is dropped. Nothing was refunded to the card.',
  );
};

const refund: ApiCommand = async (api, { words: [word, dollars], flags }) => {
  const liable = (flags.liable ?? 'platform') as LiableParty;
  if (!LIABLE_PARTIES.includes(liable)) throw new CommandError(`--liable must be one of ${LIABLE_PARTIES.join(', ')}`);
  const params = { id: await findOrderId(api, word) };
  const terms = { liable, ...(flags.delivery === undefined ? {} : { deliveryId: flags.delivery }) };
  const whole = await api.previewRefund({ params, query: terms });
  if (dollars === undefined && whole.problem !== null) throw new CommandError(`no refund: ${whole.problem}`);
  const amount = dollars === undefined ? whole.amount : toDollars(parseCents(dollars));
  const body = { ...terms, amount, left: whole.left, reason: reasonOf(flags) };
  const answer = await api.refundOrder({ params, body });
  const sum = formatDollars(toCents(amount));
  return describeAct(answer, `${sum} goes back to the card within seconds. The ${liable} bears it, without its taxes.`);
};

const adjust: ApiCommand = async (api, { words: [word], flags }) => {
  const params = { id: await findOrderId(api, word) };
  const { yes: code } = flags;
  const { lines, code: shown } = await api.previewAdjustment({ params });
  if (code === undefined)
    return describeLines(lines, `Nothing is written yet. To write this entry, add --yes ${shown}.`);
  const answer = await api.adjustOrder({ params, body: { code, reason: reasonOf(flags) } });
  return describeAct(answer, describeLines(lines, 'This is in the ledger now.'));
};

function describeLines(lines: Adjustment['lines'], end: string): string {
  if (lines.length === 0) return 'Nothing to adjust.';
  const shown = lines.map(({ account, party, amount }) => {
    const side = party === null ? account : `${account} ${party.id}`;
    return `  ${side.padEnd(54)} ${amount.toFixed(2).padStart(12)}`;
  });
  return ['Debits are above zero, and credits below:', ...shown, end].join('\n');
}

const PAYOUTS: Readonly<Record<string, ApiCommand>> = {
  run: async (api, { flags }) => {
    const answer = await api.runPayouts({ body: { reason: reasonOf(flags) } });
    const { due } = await api.listPayouts();
    return describeAct(answer, `Done. Due now: ${formatDollars(toCents(due.amount))} for ${due.people} people.`);
  },
  send: async (api, { flags }) => {
    const { due } = await api.listPayouts();
    if (due.people === 0) return 'No payout is due.';
    const answer = await api.sendPayouts({ body: { amount: due.amount, reason: reasonOf(flags) } });
    return `${describeAct(answer, 'They are in a batch for the bank.')}\nAfter that, "payout again" writes the file for the bank.`;
  },
  again: async (api, { words: [, word], flags }) => {
    const batch = word ?? (await findLastBatch(api));
    const opening = { params: { batch }, body: { reason: flags.reason ?? 'For the bank' } };
    await orMissing(api.openPayoutFile(opening), `there is no batch "${batch}"`);
    const { name, text } = await orMissing(api.readPayoutFile({ params: { batch } }), `there is no batch "${batch}"`);
    return { text: '', file: { name, text, again: `payout again ${batch}` } };
  },
};

async function findLastBatch(api: Parameters<ApiCommand>[0]): Promise<string> {
  const { items } = await api.listPayouts();
  const [last] = items
    .flatMap(({ batch, sentAt }) => (batch === null || sentAt === null ? [] : [{ batch, sentAt }]))
    .toSorted((a, b) => b.sentAt.localeCompare(a.sentAt));
  if (!last) throw new CommandError('no payouts were sent yet, or long ago: payout again <batch>');
  return last.batch;
}

const payout: ApiCommand = (api, args) => {
  const [action = ''] = args.words;
  const command = Object.hasOwn(PAYOUTS, action) ? PAYOUTS[action] : undefined;
  if (!command) throw new CommandError('payout run, payout send, or payout again [batch]');
  return command(api, args);
};

export const MONEY_COMMANDS: Readonly<Record<string, ApiCommand>> = { retry, drop, refund, adjust, payout };
