import type { PersonalData } from '../../contract/personalData.ts';
import type { Caller } from '../../domain/accounts.ts';
import { EXPORT_KEPT_MS } from '../../domain/erasures.ts';
import { formatOrderNumber } from '../../domain/orders.ts';
import { toDollars } from '../../domain/payments.ts';
import { checkCurrentPassword } from '../auth/currentPassword.ts';
import type { Sealer } from '../auth/sealing.ts';
import type { Context } from '../context.ts';
import { transact } from '../db/database.ts';
import { orNotFound, refuse } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { transactWithEffects } from '../jobs/transactWithEffects.ts';
import { type Open, readOpen, takeErasureStep } from './erasureSteps.ts';
import { findErasedPerson } from './erasures.sql.ts';
import { type Export, findExport, insertExport } from './exports.sql.ts';
import { readArchive } from './exports.ts';

type PersonalDataCalls = Pick<
  Handlers,
  'readPersonalData' | 'exportPersonalData' | 'downloadPersonalData' | 'eraseAccount' | 'keepAccount'
>;

/** What people do with their own data: take a copy, have it erased, or change their mind. */
export function personalDataHandlers(context: Context, sealer: Sealer): PersonalDataCalls {
  const { db, now, newId } = context;
  const keptSince = () => new Date(now().getTime() - EXPORT_KEPT_MS);
  const takeStep = (caller: Caller, action: 'ask-erase' | 'keep-account') =>
    transactWithEffects({ ...context, sealer }, (inside) => takeErasureStep(inside, caller, { id: caller.id, action }));
  return {
    readPersonalData: async ({ caller }) => {
      const person = orNotFound(await findErasedPerson(db, caller.id));
      const copy = await findExport(db, caller.id, keptSince());
      return {
        copy: copy ? viewExport(copy) : null,
        erasedAt: person.status === 'cooling' ? (person.dueAt?.toISOString() ?? null) : null,
        open: viewOpen(await readOpen(db, person, now())),
      };
    },
    exportPersonalData: async ({ caller, body: { password }, from }) => {
      await checkCurrentPassword(context, { userId: caller.id, password, property: 'password', from });
      const asked = { id: newId(), userId: caller.id, at: now(), after: keptSince() };
      if (!(await transact(db, (tx) => insertExport(tx, asked)))) refuse('exportKnown');
      context.wake('exports');
      return {};
    },
    downloadPersonalData: ({ caller }) => readArchive(context, caller.id),
    eraseAccount: async ({ caller, body: { currentPassword: password }, from }) => {
      await checkCurrentPassword(context, { userId: caller.id, password, property: 'currentPassword', from });
      await takeStep(caller, 'ask-erase');
      return {};
    },
    keepAccount: async ({ caller }) => {
      await takeStep(caller, 'keep-account');
      return {};
    },
  };
}

function viewExport({ askedAt, readyAt, failedAt }: Export): PersonalData['copy'] {
  const until = new Date(askedAt.getTime() + EXPORT_KEPT_MS);
  const state = failedAt ? 'failed' : readyAt ? 'ready' : 'making';
  return { state, askedAt: askedAt.toISOString(), until: until.toISOString() };
}

const viewOpen = ({ things, balance }: Open): PersonalData['open'] => [
  ...things.map(({ what, orderNumber, caseNumber }) => {
    const name =
      orderNumber === null ? (caseNumber === null ? null : `C-${caseNumber}`) : formatOrderNumber(orderNumber);
    return { what, name, amount: null };
  }),
  ...(balance === 0 ? [] : [{ what: 'balance' as const, name: null, amount: toDollars(balance) }]),
];
