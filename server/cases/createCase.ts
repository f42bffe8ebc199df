import { ALL_IS_MISSING, ENDED_UNDONE } from '../../contract/failures.ts';
import type { BudId, Caller } from '../../domain/accounts.ts';
import { CASE_OPENERS, isOpenCase } from '../../domain/cases.ts';
import { type ClaimItem, findCapProblem, isClaimInTime, needsPhoto, openingOfClaim } from '../../domain/claims.ts';
import { LAUNDRY_STATUSES } from '../../domain/deliveries.ts';
import { isOpenStatus } from '../../domain/orders.ts';
import { formatDollars, toCents } from '../../domain/payments.ts';
import { exactPlace } from '../../domain/positions.ts';
import { requestKeyOf } from '../auth/secrets.ts';
import type { Context } from '../context.ts';
import { type Tx, transact } from '../db/database.ts';
import { orNotFound, refuse, refuseProperty } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { readClaimCaps } from '../payments/refunds/refunds.ts';
import { findAnswer, keepAnswer } from '../process/requests.ts';
import { recordCaseEvent, type StepContext } from './caseEvents.ts';
import { moveCase, type StepDetails } from './caseSteps.sql.ts';
import { lockCase } from './cases.sql.ts';
import {
  type ClaimedOrder,
  countOpenCases,
  countRecentClaims,
  findClaimedOrder,
  findOpenRelay,
  findOwnLeg,
  isPartyTo,
  lockOpener,
  sumGivenByClaims,
} from './newCase.sql.ts';
import { insertOpenedCase, type OpenedCase, priorityOf } from './openCase.ts';

type Input = Parameters<Handlers['createCase']>[0];
type Body = Input['body'];

/** A person who has this many open cases cannot open another one. */
const MAX_OPEN_CASES = 20;

/** Somebody must answer one of the open cases first. */
const RETRY_AFTER_S = 60 * 60;

/** Opens the case that a person reports. Returns its id; a repeated request with the same key gets the first one again. */
export async function createCase(context: Context, { caller, body, idempotencyKey }: Input): Promise<string> {
  const { db, now, newId } = context;
  const requestKey = requestKeyOf(caller.id, idempotencyKey);
  const keyed = { actorId: caller.id, requestKey, call: 'createCase', subjectId: caller.id };
  const earlier = await findAnswer<CaseId>(db, keyed);
  if (earlier) return earlier.id;
  if (!CASE_OPENERS[body.kind].includes(caller.role)) refuse('wrongRole');
  const id = newId();
  const opened = await transact(db, async (tx) => {
    const at = now();
    await lockOpener(tx, caller.id);
    // The first one of two that were sent with the same key at the same time counts already.
    const first = await findAnswer<CaseId>(tx, keyed);
    if (first) return first.id;
    const prepared = await prepare(tx, caller, body, at);
    if ((await countOpenCases(tx, caller.id)) >= MAX_OPEN_CASES) refuse('tooManyCases', { retryAfter: RETRY_AFTER_S });
    const { words, fileIds } = body;
    const report = { words, fileIds, place: exactPlace(body.place) };
    const opening: OpenedCase & { readonly by: Caller } = {
      ...prepared,
      row: { ...prepared.row, id, kind: body.kind, openedBy: caller.id, priority: priorityOf(body.kind) },
      by: caller,
      report,
    };
    const step = { newId, at };
    const openedId = await openOrAskAgain(tx, step, opening, body);
    if (openedId !== undefined) await keepAnswer(tx, keyed, { id: openedId } satisfies CaseId, at);
    return openedId;
  });
  return opened ?? refuse('caseIsOpen');
}

type CaseId = { readonly id: string };

/** The id of the case that now has the report; undefined when such a case is open already. */
async function openOrAskAgain(
  tx: Tx,
  step: StepContext,
  opening: OpenedCase & { readonly by: Caller },
  { kind, deliveryId }: Body,
): Promise<string | undefined> {
  const { id } = opening.row;
  if (await insertOpenedCase(tx, step, opening)) return id;
  if (kind !== 'relay' || !deliveryId) return undefined;
  const asked = await askAgain(tx, step, { deliveryId, by: opening.by, report: opening.report });
  if (asked !== 'ended') return asked;
  return (await insertOpenedCase(tx, step, opening)) ? id : undefined;
}

type Prepared = Pick<OpenedCase, 'people' | 'items' | 'action'> & {
  readonly row: Pick<OpenedCase['row'], 'reason' | 'orderId' | 'deliveryId' | 'about' | 'status'>;
};

function prepare(tx: Tx, caller: Caller, body: Body, now: Date): Promise<Prepared> {
  if (body.kind === 'claim' && caller.role === 'Bud') return prepareClaim(tx, caller.id, body, now);
  return body.kind === 'relay' ? prepareRelay(tx, caller, body) : prepareQuestion(tx, caller, body);
}

async function prepareClaim(tx: Tx, bud: BudId, body: Body, now: Date): Promise<Prepared> {
  const orderId = orNotFound(body.orderId);
  const order = orNotFound(await findClaimedOrder(tx, bud, orderId));
  const items = (body.items ?? []).map(
    (item): ClaimItem => ({
      ...item,
      worth: toCents(item.worth),
      asked: toCents(item.asked),
    }),
  );
  await refuseAboveCaps(tx, orderId, items, now);
  const deliveredAt = deliveredAtOf(order, items, now);
  if (!isClaimInTime(items, { deliveredAt, now })) refuse('claimOver');
  if (needsPhoto(items) && (body.fileIds ?? []).length === 0)
    refuse('photoNeeded', { message: 'Add a photo of what is damaged, stained or wet' });
  const { legId, duberId } = order.isGone
    ? { legId: order.lostLeg?.id ?? null, duberId: order.lostLeg?.duberId ?? null }
    : order;
  const { action, to, about } = openingOfClaim(items, {
    recentClaims: await countRecentClaims(tx, bud, now),
    hasDuber: duberId !== null,
    isGone: order.isGone,
  });
  const person =
    about === 'duber' && duberId !== null
      ? ({ userId: duberId, role: 'Duber' } as const)
      : ({ userId: order.scrubId, role: 'Scrub' } as const);
  const deliveryId = person.role === 'Duber' ? legId : null;
  return {
    row: { reason: null, orderId, deliveryId, about: person, status: to },
    ...{ people: [bud, person.userId], items, action },
  };
}

/** When the Bud had the laundry back. Refuses while it is not, unless it is lost: then all of it is missing, whatever the status. */
function deliveredAtOf(
  { status, deliveredAt, isGone, goneAt }: ClaimedOrder,
  items: readonly ClaimItem[],
  now: Date,
): Date {
  if (isGone && items.some(({ kind }) => kind !== 'missing')) refuse('notDeliveredYet', { message: ALL_IS_MISSING });
  if (isGone) return goneAt ?? now;
  if (!isOpenStatus(status) && status !== 'Completed') refuse('orderNotCompleted', { message: ENDED_UNDONE });
  if (status !== 'Completed') refuse('orderNotCompleted');
  return deliveredAt ?? refuse('notDeliveredYet');
}

async function refuseAboveCaps(tx: Tx, orderId: string, items: readonly ClaimItem[], now: Date): Promise<void> {
  const problem = findCapProblem(items, await readClaimCaps(tx, now), await sumGivenByClaims(tx, orderId));
  if (problem?.why === 'item-above-cap')
    refuseProperty(`items.${problem.index}.asked`, 'isAboveCap', `At most ${formatDollars(problem.most)} for its age`);
  if (problem) refuseProperty('items', 'isAboveCap', `At most ${formatDollars(problem.most)} for one order`);
}

async function prepareRelay(tx: Tx, caller: Caller, { deliveryId }: Body): Promise<Prepared> {
  const leg = caller.role === 'Duber' && deliveryId ? await findOwnLeg(tx, caller.id, deliveryId) : undefined;
  const { orderId, status } = orNotFound(leg);
  // A Duber without the laundry can just give the delivery back.
  if (!LAUNDRY_STATUSES.includes(status))
    refuse('wrongStatus', { message: `This delivery is ${status.replaceAll('_', ' ')}` });
  const row = { reason: null, orderId, deliveryId: orNotFound(deliveryId), about: null, status: 'with-town' } as const;
  return { row, people: [caller.id], action: 'ask' };
}

type AskedAgain = {
  readonly deliveryId: string;
  readonly by: Caller;
  readonly report: StepDetails;
};

/**
 * A Duber who has collected laundry of the order since they asked, and cannot go on once more: what they say now, and where they
 * are, is added to their case, if it is still open. Returns its id; undefined when what they said before still holds, and `ended`
 * when the town has ended it at this moment.
 */
async function askAgain(
  tx: Tx,
  context: StepContext,
  { deliveryId, by, report }: AskedAgain,
): Promise<string | 'ended' | undefined> {
  const open = await findOpenRelay(tx, by.id, deliveryId);
  const row = open && (await lockCase(tx, open.id));
  if (!row || !isOpenCase(row.status)) return 'ended';
  const { status } = row;
  if (!open.isAnswered || !(await moveCase(tx, { ...row, from: status, to: status }))) return undefined;
  await recordCaseEvent(tx, context, { row, action: 'ask', status, by: { role: by.role, id: by.id }, report });
  return row.id;
}

async function prepareQuestion(tx: Tx, caller: Caller, { orderId, deliveryId }: Body): Promise<Prepared> {
  if (!(await isPartyTo(tx, caller.id, { orderId, deliveryId }))) refuse('notFound');
  const row = {
    ...{ reason: null, about: null, status: 'with-town' as const },
    ...{ orderId: orderId ?? null, deliveryId: deliveryId ?? null },
  };
  return { row, people: [caller.id], action: 'ask' };
}
