import { ALL_IS_MISSING, ENDED_UNDONE } from '../../contract/failures.ts';
import type { BudId, Caller } from '../../domain/accounts.ts';
import { type ClaimItem, findCapProblem, isClaimInTime, needsPhoto, openingOfClaim } from '../../domain/claims.ts';
import { isWithLaundry } from '../../domain/deliveries.ts';
import { isOpenStatus } from '../../domain/orders.ts';
import { formatDollars, toCents } from '../../domain/payments.ts';
import { exactPlace } from '../../domain/positions.ts';
import { findOpening } from '../../domain/process/case.ts';
import { requestKeyOf } from '../auth/secrets.ts';
import type { Context } from '../context.ts';
import { type Tx, transactStep } from '../db/database.ts';
import { orNotFound, refuse, refuseProperty } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { readClaimCaps } from '../payments/refunds/refunds.ts';
import { findAnswer, keepAnswer } from '../process/requests.ts';
import { tryStep } from '../process/takeStep.ts';
import type { StepDetails } from './caseSteps.sql.ts';
import {
  type ClaimedOrder,
  countOpenCases,
  countRecentClaims,
  findClaimedOrder,
  findOpenRelay,
  findOwnDelivery,
  isPartyTo,
  lockOpener,
  lockOrderOfReport,
  sumGivenByClaims,
} from './newCase.sql.ts';
import { insertOpenedCase, type OpenedCase } from './openCase.ts';
import { CASES } from './steps.ts';

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
  const row = findOpening(body.kind, caller.role) ?? refuse('wrongRole');
  const id = newId();
  const openedId = await transactStep(db, async (tx) => {
    const at = now();
    // Before their opener, as everybody does who locks an order and a person.
    await lockOrderOfReport(tx, body);
    await lockOpener(tx, caller.id);
    // The first one of two that were sent with the same key at the same time counts already.
    const first = await findAnswer<CaseId>(tx, keyed);
    if (first) return first.id;
    const prepared = await prepare(tx, caller, body, at);
    if ((await countOpenCases(tx, caller.id)) >= MAX_OPEN_CASES) refuse('tooManyCases', { retryAfter: RETRY_AFTER_S });
    const { words, fileIds } = body;
    const report = { words, fileIds, place: exactPlace(body.place) };
    const opened = { ...prepared, id, kind: body.kind, openedBy: caller.id, opening: row, by: caller, report };
    const caseId = await openOrAskAgain(tx, opened, body, at);
    if (caseId !== undefined) await keepAnswer(tx, keyed, { id: caseId } satisfies CaseId, at);
    return caseId;
  });
  return openedId ?? refuse('caseIsOpen');
}

type CaseId = { readonly id: string };

/** The id of the case that now has the report; undefined when such a case is open already. */
async function openOrAskAgain(
  tx: Tx,
  opened: OpenedCase & { readonly by: Caller },
  { kind, deliveryId }: Body,
  at: Date,
): Promise<string | undefined> {
  const { id, by, report } = opened;
  if (await insertOpenedCase(tx, opened, at)) return id;
  if (kind !== 'relay' || !deliveryId) return undefined;
  const asked = await askAgain(tx, { deliveryId, by, report }, at);
  if (asked !== 'ended') return asked;
  return (await insertOpenedCase(tx, opened, at)) ? id : undefined;
}

type Prepared = Pick<OpenedCase, 'people' | 'items' | 'status' | 'reason' | 'orderId' | 'deliveryId' | 'about'>;

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
  const { deliveryId, duberId } = order.isGone
    ? { deliveryId: order.lostDelivery?.id ?? null, duberId: order.lostDelivery?.duberId ?? null }
    : order;
  const { to: status, about } = openingOfClaim(items, {
    recentClaims: await countRecentClaims(tx, bud, now),
    hasDuber: duberId !== null,
    isGone: order.isGone,
  });
  const person =
    about === 'duber' && duberId !== null
      ? ({ userId: duberId, role: 'Duber' } as const)
      : ({ userId: order.scrubId, role: 'Scrub' } as const);
  return {
    reason: null,
    orderId,
    deliveryId: person.role === 'Duber' ? deliveryId : null,
    about: person,
    status,
    people: [bud, person.userId],
    items,
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
  const delivery = caller.role === 'Duber' && deliveryId ? await findOwnDelivery(tx, caller.id, deliveryId) : undefined;
  const { orderId, status } = orNotFound(delivery);
  // A Duber without the laundry can just give the delivery back.
  if (!isWithLaundry(status)) refuse('wrongStatus', { message: `This delivery is ${status.replaceAll('_', ' ')}` });
  return { reason: null, orderId, deliveryId: orNotFound(deliveryId), about: null, people: [caller.id] };
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
  { deliveryId, by: actor, report: { words, fileIds, place } }: AskedAgain,
  at: Date,
): Promise<string | 'ended' | undefined> {
  const id = await findOpenRelay(tx, actor.id, deliveryId);
  if (id === undefined) return 'ended';
  const request = { id, action: 'ask', deliveryId, words: words ?? undefined, fileIds, place } as const;
  const locked = await CASES.lock(tx, actor, id);
  const asked = await tryStep(tx, CASES, { actor, request, locked }, at);
  if (asked.ok) return id;
  return asked.why.why === 'need' ? undefined : 'ended';
}

async function prepareQuestion(tx: Tx, caller: Caller, { orderId, deliveryId }: Body): Promise<Prepared> {
  if (!(await isPartyTo(tx, caller.id, { orderId, deliveryId }))) refuse('notFound');
  return {
    ...{ reason: null, about: null, people: [caller.id] },
    ...{ orderId: orderId ?? null, deliveryId: deliveryId ?? null },
  };
}
