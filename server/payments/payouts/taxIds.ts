import type { NewTaxId, TaxIdAnswer } from '../../../contract/taxIds.ts';
import { last4Of } from '../../../domain/last4.ts';
import { localDate } from '../../../domain/localDays.ts';
import { toDollars } from '../../../domain/payments.ts';
import { reportedFrom, type TaxId, taxKeyOf } from '../../../domain/taxIds.ts';
import { checkCurrentPassword } from '../../auth/currentPassword.ts';
import { KEY_NAME_BYTES, type Sealer } from '../../auth/sealing.ts';
import type { Context } from '../../context.ts';
import { type Tx, transact } from '../../db/database.ts';
import type { Handlers } from '../../http/routes.ts';
import { taxIdMail } from '../../notifications/accountMails.ts';
import { queueMail } from '../../notifications/outbox.sql.ts';
import { readPublicTown } from '../../town/identity.sql.ts';
import { readSettings } from '../../town/settings.sql.ts';
import { sumEarnedAndPaid } from './earnings.sql.ts';
import { earnerOf } from './earnings.ts';
import { findTaxId, readSealedTaxIds, type StoredTaxId, saveTaxId } from './taxIds.sql.ts';
import { countReportedWorkers, sumOwnPayouts } from './taxYears.sql.ts';

type TaxIdCalls = Pick<Handlers, 'readTaxId' | 'changeTaxId'>;

/** Workers' tax numbers. A whole number is only in the export of a year, which two operators agree on. */
export function taxIdHandlers(context: Context, sealer: Sealer): TaxIdCalls {
  const { db, now, newId, wake } = context;
  return {
    readTaxId: async ({ caller }) => {
      const stored = await findTaxId(db, caller.id);
      // Counts as missing when sealed with another key; the owner enters it again.
      if (stored && sealer.isOwn(stored.sealed)) return viewOf(stored);
      return { taxId: null, askedFor: await findYearAskedFor(context, caller) };
    },
    changeTaxId: async ({ caller, body: { password, taxId: sent }, from }) => {
      const user = await checkCurrentPassword(context, { userId: caller.id, password, property: 'password', from });
      const taxId = withCountry(sent);
      const { kind, country, number } = taxId;
      const sealed = sealer.seal(JSON.stringify(taxId));
      const stored = { kind, country, last4: last4Of(number), changedAt: now(), sealed };
      await transact(db, async (tx) => {
        const isReplaced = (await findTaxId(tx, caller.id)) !== undefined;
        await saveTaxId(tx, caller.id, { ...stored, mark: sealer.mark(taxKeyOf(taxId)) });
        const mail = taxIdMail(user.fullname, { isReplaced }, await readPublicTown({ ...context, db: tx }));
        await queueMail(tx, { id: newId(), recipient: user.email, ...mail }, now());
      });
      wake('mail');
      return viewOf(stored);
    },
  };
}

const withCountry = (sent: NewTaxId): TaxId => (sent.kind === 'tin' ? sent : { ...sent, country: 'US' });

const viewOf = ({ kind, country, last4, changedAt }: StoredTaxId): TaxIdAnswer => ({
  taxId: { kind, country, last4, changedAt: changedAt.toISOString() },
  askedFor: null,
});

/** The year, this one or the last, in which a worker gets so much that it must be reported. What they are owed comes this year. */
async function findYearAskedFor(
  { db, now }: Pick<Context, 'db' | 'now'>,
  worker: Parameters<typeof earnerOf>[0],
): Promise<TaxIdAnswer['askedFor']> {
  const { timeZone } = await readSettings(db, now());
  const thisYear = Number(localDate(now(), timeZone).slice(0, 4));
  const sent = await sumOwnPayouts(db, worker.id, { year: thisYear, timeZone });
  const { earned, paid } = await sumEarnedAndPaid(db, earnerOf(worker));
  const years = [
    { year: thisYear - 1, cents: sent.lastYear },
    { year: thisYear, cents: sent.thisYear + sent.due + Math.max(0, earned - paid) },
  ];
  const reported = years.find(({ year, cents }) => cents >= reportedFrom(year));
  return reported ? { year: reported.year, from: toDollars(reportedFrom(reported.year)) } : null;
}

type SealedContext = { readonly db: Tx; readonly sealer: Sealer };

/** The whole numbers of these people by their id, for the export of a year. Those that another key has sealed are missing. */
export async function readTaxIds(
  { db, sealer }: SealedContext,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, TaxId>> {
  const sealed = [...(await readSealedTaxIds(db, userIds))].filter(([, bytes]) => sealer.isOwn(bytes));
  return new Map(sealed.map(([userId, bytes]) => [userId, JSON.parse(sealer.unseal(bytes)) as TaxId]));
}

/** How many workers must be reported for a year, and how many of them have no number. */
export async function countMissingTaxIds(
  { db, sealer }: SealedContext,
  { year, timeZone }: { year: number; timeZone: string },
): Promise<{ workers: number; missing: number }> {
  const counts = await countReportedWorkers(db, {
    ...{ year, timeZone },
    from: reportedFrom(year),
    keyNameBytes: KEY_NAME_BYTES,
  });
  const sumOf = (some: typeof counts) => some.reduce((sum, { workers }) => sum + workers, 0);
  const missing = counts.filter(({ keyName }) => keyName === null || !sealer.isOwn(keyName));
  return { workers: sumOf(counts), missing: sumOf(missing) };
}
