import { failureOfNeed } from '../../contract/failures.ts';
import type { Caller } from '../../domain/accounts.ts';
import { COOLING_MS, ERASE_AGAIN_AFTER_MS, KEPT_BY_LAW_MS } from '../../domain/erasures.ts';
import { formatOrderNumber } from '../../domain/orders.ts';
import { type Cents, formatDollars } from '../../domain/payments.ts';
import {
  ERASURE_NEEDS,
  ERASURE_ROWS,
  ERASURE_TIMER_ROWS,
  type ErasureFacts,
  type ErasureRow,
} from '../../domain/process/erasure.ts';
import { applyScrubVisibility } from '../auth/restrictions.sql.ts';
import type { Sealer } from '../auth/sealing.ts';
import { deleteSessionsOf } from '../auth/sessions.sql.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { orNotFound, refuse } from '../http/refusals.ts';
import { endTimers, startTimers } from '../jobs/timers.sql.ts';
import type { TimerContext, TimerKind } from '../jobs/timers.ts';
import { accountKeptMail, eraseAskedMail } from '../notifications/accountMails.ts';
import { queueMail } from '../notifications/outbox.sql.ts';
import { readBalance } from '../payments/payouts/earnings.ts';
import { startRemovalOfAll } from '../payments/saved/savedCards.ts';
import {
  type Asked,
  checkStepIn,
  type Refused,
  type StepDone,
  type StepSubject,
  type StepTaken,
  SYSTEM,
  takeStepIn,
  tryStep,
} from '../process/takeStep.ts';
import { readPublicTown } from '../town/identity.sql.ts';
import {
  type ErasedPerson,
  findErasure,
  findSealedRecord,
  liftErasedRestriction,
  listOpenThings,
  lockErasedPerson,
  type OpenThing,
  restrictErased,
  saveErasure,
} from './erasures.sql.ts';
import {
  beginErasing,
  endErasing,
  eraseRows,
  type KeptRecord,
  listAuditTexts,
  readKeptRecord,
  sealAuditTexts,
} from './personalRows.sql.ts';

type ErasureContext = Pick<Context, 'db' | 'now' | 'newId' | 'config' | 'wake' | 'endStreamsOf'> & {
  readonly sealer: Sealer;
};

type ErasureActor = Caller | { readonly role: 'Operator'; readonly id: string } | typeof SYSTEM;

/** What is open of a person; a balance in cents is below zero when they owe it. */
export type Open = { readonly things: readonly OpenThing[]; readonly balance: Cents };

type ErasureKind = {
  readonly actor: ErasureActor;
  readonly row: ErasureRow;
  /** The person. */
  readonly request: { readonly id: string; readonly action: ErasureRow['action'] };
  readonly locked: ErasedPerson | undefined;
  readonly facts: ErasedPerson & { readonly open: Open };
  readonly needed: ErasureFacts;
  readonly answer: { readonly dueAt: Date };
};

/** What operators read of an account that is going to be erased, or was. */
export const readErasure = async (db: Tx, id: string) => (await findErasure(db, id)) ?? null;

/** The name and the contacts that the law keeps of a person who was erased; undefined for everybody else. */
export async function readKeptContact(db: Tx, sealer: Sealer, id: string): Promise<KeptRecord | undefined> {
  const sealed = await findSealedRecord(db, id);
  return sealed && (JSON.parse(sealer.unseal(sealed)) as KeptRecord);
}

/** Takes a step of an account, in the transaction of the caller. */
export const takeErasureStep = (
  inside: ErasureContext,
  actor: ErasureActor,
  request: ErasureKind['request'],
): Promise<ErasureKind['answer']> => takeStepIn(inside.db, erasuresOf(inside), actor, request, inside.now);

/** Refuses as `takeErasureStep` does, and changes nothing. */
export const checkErasureStep = (inside: ErasureContext, actor: ErasureActor, request: ErasureKind['request']) =>
  checkStepIn(inside.db, erasuresOf(inside), actor, request, inside.now);

/** Erases accounts whose time is over, and later what the law kept of them. */
export const ERASURE_TIMERS: TimerKind<TimerContext & ErasureContext> = {
  subject: 'erasure',
  rows: ERASURE_TIMER_ROWS,
  wakes: [],
  lock: async (inside, timer) => {
    const locked = await lockErasedPerson(inside.db, timer.subjectId);
    const action = ERASURE_TIMER_ROWS.find((row) => row.action === timer.action)?.action;
    if (!locked || !action) return undefined;
    const asked = { actor: SYSTEM, request: { id: locked.id, action }, locked } as const;
    return () => tryStep(inside.db, erasuresOf(inside), asked, inside.now());
  },
};

const erasuresOf = (inside: ErasureContext): StepSubject<ErasureKind> => ({
  rows: ERASURE_ROWS,
  needs: ERASURE_NEEDS,
  lock: (tx, _actor, id) => lockErasedPerson(tx, id),
  readFacts,
  refuse: refuseStep,
  write: (tx, taken) => writeStep(inside, tx, taken),
  effects: [
    (tx, done) => hidePerson(inside, tx, done),
    (tx, done) => showPerson(tx, done),
    (_tx, done) => notifyPerson(inside, done),
  ],
  wakes: () => ['mail', 'payments'],
});

export async function readOpen(tx: Tx, { id, role }: Pick<ErasedPerson, 'id' | 'role'>, now: Date): Promise<Open> {
  const things = await listOpenThings(tx, id);
  return { things, balance: role === 'Bud' ? 0 : (await readBalance(tx, { role, id }, now)).owed };
}

async function readFacts(tx: Tx, { locked }: Asked<ErasureKind>, at: Date) {
  if (!locked) return undefined;
  const open = await readOpen(tx, locked, at);
  const kinds = open.things.map(({ what }) => what);
  return {
    facts: { ...locked, open },
    needed: { open: open.balance === 0 ? kinds : [...kinds, 'balance' as const] },
    at,
  };
}

/** What is open, in one sentence. */
export function describeOpen({ things, balance }: Open): string {
  const orders = things.flatMap(({ orderNumber }) => (orderNumber === null ? [] : [formatOrderNumber(orderNumber)]));
  const cases = things.flatMap(({ caseNumber }) => (caseNumber === null ? [] : [`C-${caseNumber}`]));
  const isPaying = things.some(({ what, orderNumber }) => what === 'payment' && orderNumber === null);
  const parts = [
    ...new Set([...orders, ...cases]),
    ...(isPaying ? ['a payment that is under way'] : []),
    ...(things.some(({ what }) => what === 'suspension') ? ['a suspension, until it ends'] : []),
    ...(balance > 0 ? [`${formatDollars(balance)} that the town still pays out`] : []),
    ...(balance < 0 ? [`${formatDollars(-balance)} that is owed to the town`] : []),
  ];
  return parts.join(', ');
}

async function refuseStep(_tx: Tx, { actor, facts, why }: Refused<ErasureKind>): Promise<never> {
  if (!facts) return refuse('notFound');
  const whose = actor.role === 'Operator' ? 'Still open' : 'Something of yours is still open';
  if (why.why === 'need')
    return refuse(failureOfNeed(why.need) ?? 'wrongStatus', { message: `${whose}: ${describeOpen(facts.open)}` });
  return refuse('wrongStatus', {
    message:
      facts.status === 'cooling'
        ? 'This account is going to be erased already'
        : 'This account is not going to be erased',
  });
}

/** The account, with the timers of its new status. */
async function writeStep(
  inside: ErasureContext,
  tx: Tx,
  { row, actor, facts, at }: StepTaken<ErasureKind>,
): Promise<ErasureKind['answer']> {
  const { id } = facts;
  const waits = { 'ask-erase': COOLING_MS, 'keep-account': 0, erase: ERASE_AGAIN_AFTER_MS, forget: 0 }[row.action];
  const dueAt = row.erases ? (facts.dueAt ?? at) : new Date(at.getTime() + waits);
  const sealed = row.erases === 'person' ? await erasePerson(inside, tx, id, at) : null;
  const askedBy = row.action === 'ask-erase' ? (actor.role === 'Operator' ? actor.id : null) : undefined;
  const step = await saveErasure(tx, { id, status: row.to, at, dueAt, askedBy, sealed });
  await endTimers(tx, 'erasure', id);
  if (row.to === 'cooling') await startTimers(tx, 'erasure', { id, step }, [{ action: 'erase', dueAt }]);
  if (row.to === 'erased')
    await startTimers(tx, 'erasure', { id, step }, [
      { action: 'forget', dueAt: new Date(at.getTime() + KEPT_BY_LAW_MS) },
    ]);
  return { dueAt };
}

/** Erases all personal data of an account. Returns what the law keeps, encrypted. */
async function erasePerson({ sealer, endStreamsOf }: ErasureContext, tx: Tx, id: string, at: Date): Promise<Buffer> {
  const kept = orNotFound(await readKeptRecord(tx, id));
  await beginErasing(tx);
  for (const { id: row, ...texts } of await listAuditTexts(tx, id, kept))
    await sealAuditTexts(tx, row, sealer.seal(JSON.stringify(texts)));
  await startRemovalOfAll(tx, id, at);
  await eraseRows(tx, id);
  await endErasing(tx);
  endStreamsOf(id);
  return sealer.seal(JSON.stringify(kept));
}

async function hidePerson(
  inside: ErasureContext,
  tx: Tx,
  { row, facts, at }: StepDone<ErasureKind>,
): Promise<undefined> {
  if (!row.hides) return;
  await restrictErased(tx, { id: inside.newId(), userId: facts.id, at });
  await applyScrubVisibility(tx, facts.id);
  await deleteSessionsOf(tx, facts.id);
  inside.endStreamsOf(facts.id);
}

async function showPerson(tx: Tx, { row, facts, at }: StepDone<ErasureKind>): Promise<undefined> {
  if (!row.shows) return;
  await liftErasedRestriction(tx, facts.id, at);
  await applyScrubVisibility(tx, facts.id);
}

async function notifyPerson(
  inside: ErasureContext,
  { row, facts, at, answer }: StepDone<ErasureKind>,
): Promise<undefined> {
  if (!row.notifies) return;
  const { db, newId, wake } = inside;
  const town = await readPublicTown(inside);
  const mail =
    row.notifies === 'asked'
      ? eraseAskedMail(facts.fullname, answer.dueAt, town)
      : accountKeptMail(facts.fullname, town);
  await queueMail(db, { id: newId(), recipient: facts.email, ...mail }, at);
  wake('mail');
}
