import type { PayoutAccountAnswer } from '../../../contract/payoutAccounts.ts';
import { accountKeyOf, lastDigitsOf, PAYOUT_ACCOUNT_WAIT_MS } from '../../../domain/payoutAccounts.ts';
import { checkCurrentPassword } from '../../auth/currentPassword.ts';
import type { Sealer } from '../../auth/sealing.ts';
import type { Context } from '../../context.ts';
import { transact } from '../../db/database.ts';
import type { Handlers } from '../../http/routes.ts';
import { payoutAccountMail } from '../../notifications/accountMails.ts';
import { queueMail } from '../../notifications/outbox.sql.ts';
import { readPublicTown } from '../../town/identity.sql.ts';
import { findPayoutAccount, type StoredPayoutAccount, savePayoutAccount } from './payoutAccounts.sql.ts';

type AccountCalls = Pick<Handlers, 'readPayoutAccount' | 'changePayoutAccount'>;

/** Where workers' money goes. The whole number is never shown again, not even to its owner. */
export function payoutAccountHandlers(context: Context, sealer: Sealer): AccountCalls {
  const { db, now, newId, wake } = context;
  return {
    readPayoutAccount: async ({ caller }) => {
      const stored = await findPayoutAccount(db, caller.id);
      // Counts as missing when sealed with another key, also for the bank's file; the owner enters it again.
      return stored && sealer.isOwn(stored.sealed) ? viewOf(stored) : { account: null };
    },
    changePayoutAccount: async ({ caller, body: { password, account }, from }) => {
      const user = await checkCurrentPassword(context, { userId: caller.id, password, property: 'password', from });
      const sealed = sealer.seal(JSON.stringify(account));
      const mark = sealer.mark(accountKeyOf(account));
      const stored = { method: account.method, last4: lastDigitsOf(account), changedAt: now(), sealed };
      await transact(db, async (tx) => {
        const before = await findPayoutAccount(tx, caller.id);
        await savePayoutAccount(tx, { ...stored, mark, userId: caller.id });
        const change = { last4: stored.last4, before: before?.last4, paysFrom: paysFrom(stored) };
        const mail = payoutAccountMail(user.fullname, change, await readPublicTown({ ...context, db: tx }));
        await queueMail(tx, { id: newId(), recipient: user.email, ...mail }, now());
      });
      wake('mail');
      return viewOf(stored);
    },
  };
}

const paysFrom = ({ changedAt }: Pick<StoredPayoutAccount, 'changedAt'>) =>
  new Date(changedAt.getTime() + PAYOUT_ACCOUNT_WAIT_MS);

function viewOf(account: StoredPayoutAccount): PayoutAccountAnswer {
  const { method, last4, changedAt } = account;
  return {
    account: { method, last4, changedAt: changedAt.toISOString(), paysFrom: paysFrom(account).toISOString() },
  };
}
