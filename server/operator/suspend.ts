import type { Operator } from '../../domain/operators.ts';
import { formatOrderNumber } from '../../domain/orders.ts';
import { SUSPENSION_TIMER_ROWS } from '../../domain/process/suspension.ts';
import type { WorkChoice } from '../../domain/restrictions.ts';
import { isSignedOutBy, type RestrictionKind, SUSPENDED_FOR_MS } from '../../domain/restrictions.ts';
import { applyScrubVisibility } from '../auth/restrictions.sql.ts';
import { deleteSessionsOf } from '../auth/sessions.sql.ts';
import { type Tx, violatedConstraint } from '../db/database.ts';
import { takeDeliveryStep } from '../deliveries/steps.ts';
import { publishDeliveryUpdate, publishOrderUpdate } from '../events/publish.ts';
import { orNotFound, refuse, refuseProperty } from '../http/refusals.ts';
import { startTimers, timersOf } from '../jobs/timers.sql.ts';
import type { ConsoleContext } from '../operatorContext.ts';
import type { OrderStepRequest } from '../orders/facts.ts';
import { takeOrderStep } from '../orders/steps.ts';
import { listOpenWork, lockOpenWork, type OpenWorkRow } from './openWork.sql.ts';
import { findPerson, type PersonRecord } from './people.sql.ts';
import { queueSuspendedMail } from './peopleMails.ts';
import { insertRestriction, insertSuspension, lockPerson } from './restrictions.sql.ts';
import { ORDER_ACTIONS, readChoices } from './workChoices.ts';

export type ChosenWork = Pick<OrderStepRequest, 'wayHome' | 'waysPaidBy'> & {
  readonly kind: 'order' | 'delivery';
  readonly id: string;
  readonly choice: WorkChoice;
};

export type SuspensionRequest = {
  readonly signIn?: boolean | undefined;
  readonly choices: readonly ChosenWork[];
  /** The text for the other people of the open work. */
  readonly words?: string | undefined;
  readonly reason: string;
};

type SuspendInput = { readonly operator: Operator; readonly id: string; readonly request: SuspensionRequest };

/** Suspends a person and carries out the choice for each piece of their open work, in the transaction of the act. */
export async function suspendPerson(context: ConsoleContext, { operator, id, request }: SuspendInput) {
  const { db: tx, now, newId } = context;
  const { role } = orNotFound(await findPerson(tx, id));
  await lockOpenWork(tx, { id, role });
  const person = orNotFound(await lockPerson(tx, id));
  const decided = await decideAll(tx, await listOpenWork(tx, person), person, request.choices);
  // Moving or cancelling open work takes operator steps, which need another right.
  const isDispatching = decided.some(({ choice }) => choice !== 'finish');
  if (isDispatching && !operator.caps.includes('dispatch')) refuse('noRight');
  const at = now();
  const suspension = { id: newId(), userId: id, reason: request.reason, at, by: operator.id };
  const until = new Date(at.getTime() + SUSPENDED_FOR_MS);
  if (person.state === 'suspended') refuse('wrongStatus', { message: 'This person is suspended already' });
  await insertSuspension(tx, { ...suspension, until });
  await startTimers(tx, 'suspension', { id: suspension.id, step: 1 }, timersOf(SUSPENSION_TIMER_ROWS, at));
  const isSignedOut = request.signIn ?? isSignedOutBy(decided);
  const kinds: RestrictionKind[] = [
    'new-work',
    ...(role === 'Bud' ? [] : (['payout'] as const)),
    ...(isSignedOut ? (['sign-in'] as const) : []),
  ];
  for (const kind of kinds)
    await restrictPerson(context, person, {
      kind,
      reason: request.reason,
      by: operator.id,
      suspensionId: suspension.id,
    });
  for (const one of decided) await carryOut(context, operator, { ...one, words: request.words });
  await publishOpenWork(context, person);
  const work = decided.map(({ work: one, choice }) => ({ order: nameOf(one), choice }));
  await queueSuspendedMail(context, person, { reason: request.reason, until, isSignedOut, work });
  return { until: until.toISOString(), work: decided.map(({ work, choice }) => `${nameOf(work)}: ${choice}`) };
}

type Decided = Pick<ChosenWork, 'choice' | 'wayHome' | 'waysPaidBy'> & { readonly work: OpenWorkRow };

const nameOf = ({ orderNumber }: OpenWorkRow) => formatOrderNumber(orderNumber);

/** Tells the open pages of the others that somebody cannot work for now, or can again. */
export async function publishOpenWork({ db: tx, now }: ConsoleContext, person: PersonRecord): Promise<void> {
  const createdAt = now().toISOString();
  for (const { kind, id } of await listOpenWork(tx, person)) {
    if (kind === 'order') await publishOrderUpdate(tx, { orderId: id, createdAt });
    else await publishDeliveryUpdate(tx, { deliveryId: id, createdAt });
  }
}

/** Every piece of open work with its choice. Work that has ended meanwhile needs none. */
async function decideAll(
  tx: Tx,
  open: readonly OpenWorkRow[],
  person: PersonRecord,
  choices: readonly ChosenWork[],
): Promise<readonly Decided[]> {
  const chosen = new Map(choices.map((one) => [`${one.kind} ${one.id}`, one]));
  const missing = open.filter(({ kind, id }) => !chosen.has(`${kind} ${id}`));
  if (missing.length > 0) refuse('workChanged', { message: `Decide about ${missing.map(nameOf).join(', ')} too` });
  const decided: Decided[] = [];
  for (const work of open) {
    const { choice, wayHome, waysPaidBy } = chosen.get(`${work.kind} ${work.id}`) as ChosenWork;
    const possible = await readChoices(tx, person, work);
    if (!possible.includes(choice)) {
      const status = work.status.replaceAll('_', ' ');
      refuse('workChanged', { message: `${nameOf(work)} is ${status} now. Choose one of: ${possible.join(', ')}` });
    }
    decided.push({ work, choice, wayHome, waysPaidBy });
  }
  return decided;
}

/** The default text for the others. An order has nobody else until its Bud has chosen. */
const WORDS = {
  order: { another: 'They cannot do it now.', cancel: 'They cannot do it now.' },
  delivery: { another: 'Another Duber is asked.', cancel: 'They cannot do it now.' },
};

/** Takes the step of the workflow that a choice stands for. */
async function carryOut(
  context: ConsoleContext,
  operator: Operator,
  { work: { kind, id }, choice, wayHome, waysPaidBy, words }: Decided & { words: string | undefined },
): Promise<void> {
  if (choice === 'finish') return;
  const actor = { role: 'Operator', id: operator.id } as const;
  const request = { id, reason: 'other', words: words ?? WORDS[kind][choice] };
  if (kind === 'order') {
    await takeOrderStep(context, actor, { ...request, action: ORDER_ACTIONS[choice], wayHome, waysPaidBy });
  } else {
    const action = choice === 'another' ? 'take-off' : 'call-off';
    await takeDeliveryStep(context, actor, { ...request, action });
  }
}

type RestrictionRequest = {
  readonly kind: RestrictionKind;
  readonly reason: string;
  readonly by: string;
  readonly suspensionId: string | null;
};

/** Sets a restriction and applies it at once. Lock the person before. */
export async function restrictPerson(
  context: ConsoleContext,
  person: PersonRecord,
  restriction: RestrictionRequest,
): Promise<void> {
  const { db: tx, now, newId } = context;
  await insertRestriction(tx, { ...restriction, id: newId(), userId: person.id, at: now() }).catch((error: unknown) => {
    if (violatedConstraint(error) === 'holds_one_of_kind')
      refuseProperty('kind', 'isNew', 'This person is kept from it already');
    throw error;
  });
  if (restriction.kind === 'sign-in') await signOut(context, person.id);
  await updateScrubVisibility(tx, person);
}

/** Ends every session of a person, and their streams on every server. */
export async function signOut({ db, endStreamsOf }: ConsoleContext, userId: string): Promise<void> {
  await deleteSessionsOf(db, userId);
  endStreamsOf(userId);
}

/** Hides a Scrub who is kept from new work from the nearby search, and shows them again as before. */
export async function updateScrubVisibility(tx: Tx, { id, role }: Pick<PersonRecord, 'id' | 'role'>): Promise<void> {
  if (role === 'Scrub') await applyScrubVisibility(tx, id);
}
