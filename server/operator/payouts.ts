import { PAYOUTS_PAGE } from '../../contract/operator/payouts.ts';
import { isBankFormat, type TownBank } from '../../domain/bankFiles.ts';
import type { Operator } from '../../domain/operators.ts';
import { toCents, toDollars } from '../../domain/payments.ts';
import type { Tx } from '../db/database.ts';
import { readPage } from '../db/pages.ts';
import { isoTimes } from '../http/isoTimes.ts';
import { orNotFound, refuse } from '../http/refusals.ts';
import type { ActInput, Acts, ConsoleContext, OperatorHandlers } from '../operatorContext.ts';
import { listPayoutRecords, listWaitingCredits, sumDuePayouts } from '../payments/payouts/moneyReports.ts';
import { isBatch, makeBankFile, type PayoutSum, renderBatchForBank } from '../payments/payouts/payoutFile.ts';
import { csvPayoutMethod, runPayouts, sendPayouts } from '../payments/payouts/payouts.ts';
import { lockSentPayout, returnPayout } from '../payments/payouts/returnPayout.ts';
import { readSettings, writeSetting } from '../town/settings.sql.ts';
import { hasOpenedFile, listOpenedFiles } from './openedFiles.sql.ts';
import type { PersonRecord } from './people.sql.ts';
import { queueReturnedPayoutMail } from './peopleMails.ts';
import { findRestrictionReason, lockPerson, setRestrictionReason } from './restrictions.sql.ts';
import { restrictPerson } from './suspend.ts';

const MAX_WAITING = 200;
const FILE_OPEN_MS = 15 * 60_000;

export const payoutHandlers = (context: ConsoleContext): Pick<OperatorHandlers, 'listPayouts' | 'readPayoutFile'> => ({
  listPayouts: async ({ query: { page } }) => {
    const { db, now } = context;
    const payouts = await readPage(page, PAYOUTS_PAGE, (bounds) => listPayoutRecords(db, bounds), viewPayout);
    const { cents, people } = await sumDuePayouts(db, now());
    const waiting = await listWaitingCredits(db, now(), MAX_WAITING);
    return {
      due: { amount: toDollars(cents), people },
      bank: (await readSettings(db, now())).bank,
      downloads: await listDownloads(db, payouts.items),
      ...payouts,
      waiting: waiting.map(({ cents: held, ...row }) => ({ ...isoTimes(row), amount: toDollars(held) })),
    };
  },
  readPayoutFile: async ({ operator, params: { batch }, query: { format = 'csv' } }) => {
    if (!(await isBatch(context.db, batch))) refuse('notFound');
    const since = new Date(context.now().getTime() - FILE_OPEN_MS);
    if (!(await hasOpenedFile(context.db, { operatorId: operator.id, batch, format, since }))) refuse('fileNotOpened');
    const { name, text, left, returned } = await renderBatchForBank(context, batch, format);
    return { name, text, left: viewSum(left), returned: viewSum(returned) };
  },
});

export const PAYOUT_ACTS: Pick<
  Acts,
  'runPayouts' | 'sendPayouts' | 'openPayoutFile' | 'returnPayout' | 'setUsBank' | 'setIban'
> = {
  setUsBank: {
    run: ({ context, operator, body: { reason: _, ...usBank } }) => setBank(context, operator, { usBank }),
  },
  setIban: {
    run: ({ context, operator, body: { name, iban } }) => setBank(context, operator, { iban: { name, iban } }),
  },
  // The row in the audit is what allows the operator to read the file: see readPayoutFile.
  openPayoutFile: {
    run: async ({ context, params: { batch }, body: { format = 'csv' } }) => {
      const { db, now } = context;
      if (!(await isBatch(db, batch))) refuse('notFound');
      const { bank, timeZone } = await readSettings(db, now());
      if (isBankFormat(format)) await makeBankFile(context, batch, { format, bank, timeZone, at: now() });
      return { details: { batch, format } };
    },
  },
  runPayouts: {
    run: async ({ context }) => {
      const { periodEnd, people, cents } = await runPayouts(context);
      context.wake('mail');
      return { details: { earnedBefore: periodEnd.toISOString(), people, amount: toDollars(cents) } };
    },
  },
  sendPayouts: {
    cents: confirmedCents,
    run: async ({ context, body }) => {
      const { batch, people, cents } = orNotFound(await sendPayouts(context, csvPayoutMethod));
      // Payouts may have been created in between.
      if (cents !== toCents(body.amount)) refuseOtherSum();
      return { details: { batch, people } };
    },
  },
  returnPayout: {
    cents: async ({ context: { db }, params: { id, payoutId } }) =>
      (await lockSentPayout(db, { payoutId, userId: id })).amount,
    about: async ({ context: { db }, params: { id, payoutId } }) => {
      const { batch, periodEnd } = await lockSentPayout(db, { payoutId, userId: id });
      return { batch, earnedBefore: periodEnd.toISOString().slice(0, 10) };
    },
    run: async ({ context, operator, params: { id, payoutId }, body: { reason } }) => {
      const person = orNotFound(await lockPerson(context.db, id));
      const { batch, amount } = await returnPayout(context.db, { payoutId, userId: id, at: context.now() });
      await holdPayouts(context, person, operator.id);
      await queueReturnedPayoutMail(context, person, { amount, reason });
      return { details: { payoutId, batch, fullname: person.fullname } };
    },
  },
};

/** Who has opened which file of the batches on a page, and when. */
async function listDownloads(db: Tx, rows: readonly { readonly batch: string | null }[]) {
  const batches = [...new Set(rows.flatMap(({ batch }) => batch ?? []))];
  const downloads = await listOpenedFiles(db, batches);
  return downloads.map(isoTimes);
}

const viewPayout = ({ periodEnd, amount, ...row }: Awaited<ReturnType<typeof listPayoutRecords>>[number]) => ({
  ...isoTimes({ ...row, earnedBefore: periodEnd }),
  amount: toDollars(amount),
});

const viewSum = ({ payouts, cents }: PayoutSum) => ({ payouts, amount: toDollars(cents) });

async function setBank({ db, now }: ConsoleContext, { fullname }: Operator, changed: Partial<TownBank>) {
  const { bank: before } = await readSettings(db, now());
  await writeSetting(db, { name: 'bank', value: { ...before, ...changed }, setBy: fullname, from: now() });
  return { details: { before } };
}

/** A payout is on hold until its person has another account: otherwise the next one goes to the same account. */
async function holdPayouts(context: ConsoleContext, person: PersonRecord, by: string): Promise<void> {
  const { db } = context;
  // One of a suspension ends with it, and this one does not.
  const reason = await findRestrictionReason(db, person.id, 'payout');
  if (reason === undefined)
    await restrictPerson(context, person, { kind: 'payout', reason: RETURNED, by, suspensionId: null });
  else if (!reason.includes(RETURNED)) await setRestrictionReason(db, person.id, 'payout', `${reason}. ${RETURNED}`);
}

const RETURNED = 'The bank could not pay a payout to your account';

/** The due sum, if it is still the one that the operator has seen: both operators approve the same sum. */
async function confirmedCents({ context: { db, now }, body: { amount } }: ActInput<'sendPayouts'>) {
  const { cents } = await sumDuePayouts(db, now());
  if (cents === 0) refuse('wrongStatus', { message: 'No payout is due' });
  if (cents !== toCents(amount)) refuseOtherSum();
  return cents;
}

const refuseOtherSum = () => refuse('wrongStatus', { message: 'What is due has changed. Look at it again' });
