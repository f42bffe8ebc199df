import { v7 as newUuid } from 'uuid';
import type { CaseKind, CaseStatus, KindOfPeople } from '../../domain/cases.ts';
import { type ClaimItem, sumClaimed } from '../../domain/claims.ts';
import { findOpening, type OpeningRow } from '../../domain/process/case.ts';
import type { Actor } from '../../domain/workflow.ts';
import type { Tx } from '../db/database.ts';
import { SYSTEM } from '../process/takeStep.ts';
import { announceCaseEvent, writeCaseEvent } from './caseEvents.ts';
import { addCasePeople, type StepBy, type StepDetails } from './caseSteps.sql.ts';
import { holdClaim } from './claimedPayouts.ts';
import { findAutomaticCase, insertCase, insertItems, listPeopleOf, type NewCase } from './newCase.sql.ts';

/** A problem that a step has found. */
export type FoundProblem = {
  readonly kind: Exclude<CaseKind, KindOfPeople>;
  readonly orderId: string;
  readonly deliveryId?: string | undefined;
  readonly reason?: string | null | undefined;
  readonly words?: string | null | undefined;
  /** The person whose step reports it, with their words. Without one, the server has found it. */
  readonly by?: Extract<StepBy, { readonly id: string }> | undefined;
  /** The person who may have caused it. */
  readonly aboutUser?: { readonly userId: string; readonly role: 'Scrub' | 'Duber' } | undefined;
};

/**
 * Opens a case for the town, in the transaction of the step that found the problem. There is one open case of a kind about a
 * delivery, or about an order without one: a repeat returns it and changes nothing. Returns the id of the case.
 */
export async function openCase(tx: Tx, problem: FoundProblem, at: Date): Promise<string> {
  const { kind, orderId, deliveryId, reason = null, words = null, by = SYSTEM, aboutUser } = problem;
  const subjectId = deliveryId ?? orderId;
  const opening = openingOf(kind, by.role);
  const readers = opening.readers ? await listPeopleOf(tx, orderId, deliveryId) : [];
  const id = newUuid();
  const isNew = await insertOpenedCase(
    tx,
    {
      ...{ id, kind, reason, orderId, deliveryId: deliveryId ?? null, openedBy: null, about: aboutUser ?? null },
      ...{ opening, people: [...readers, ...(aboutUser ? [aboutUser.userId] : [])], by, report: { words } },
    },
    at,
  );
  return isNew ? id : ((await findAutomaticCase(tx, kind, subjectId)) ?? openCase(tx, problem, at));
}

/** How a step opens a case. */
export function openingOf(kind: CaseKind, by: Actor): OpeningRow {
  const opening = findOpening(kind, by);
  if (!opening) throw new Error(`no ${by} opens a case about ${kind}`);
  return opening;
}

export type OpenedCase = Omit<NewCase, 'status' | 'urgent'> & {
  readonly opening: OpeningRow;
  /** By default the first one of its row. */
  readonly status?: CaseStatus;
  readonly people: readonly string[];
  readonly items?: readonly ClaimItem[];
  readonly by: StepBy;
  readonly report: StepDetails;
};

/** Writes a new case with its first event, and causes what its row of CASE_OPENINGS causes. False when such a case is open already. */
export async function insertOpenedCase(
  tx: Tx,
  { opening, people, items = [], by, report, ...opened }: OpenedCase,
  at: Date,
): Promise<boolean> {
  const { action, to, holds, notifies, urgent = false } = opening;
  const { status = to[0], id, orderId, about } = opened;
  if (!(await insertCase(tx, { ...opened, status, urgent }, at))) return false;
  if (people.length > 0) await addCasePeople(tx, id, people);
  if (items.length > 0) await insertItems(tx, id, items);
  const event = { caseId: id, position: 0, status, by };
  const eventId = await writeCaseEvent(tx, { ...event, action, report }, at);
  await announceCaseEvent(tx, { eventId, notifies }, event, at);
  if (!holds) return true;
  const taken = { at, by: by.role, offer: null, offerCents: null, askedCents: sumClaimed(items), givenCents: 0 };
  const person = { aboutUser: about?.userId ?? null, aboutRole: about?.role ?? null };
  await holdClaim(tx, { id, orderId, ...person }, holds(taken), at);
  return true;
}
