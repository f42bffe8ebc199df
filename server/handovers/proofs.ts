import type { DeliveryType } from '../../domain/deliveries.ts';
import { findProof, isEnoughProof, type PinSide } from '../../domain/handovers.ts';
import { ARRIVED_WITHIN_M } from '../../domain/needs.ts';
import { distanceInMeters, type Point } from '../../domain/places.ts';
import { exactPlace, type PhonePlace } from '../../domain/positions.ts';
import { DELIVERY_ROWS } from '../../domain/process/delivery.ts';
import { findTransitions } from '../../domain/workflow.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { refuse } from '../http/refusals.ts';
import { isRepeated } from '../process/requests.ts';
import { keyedStep } from '../process/takeStep.ts';
import { findCodesOf } from './bags.sql.ts';
import { findProofFacts } from './handovers.sql.ts';
import { refuseMissingProof } from './missingProof.ts';
import { checkPin } from './pins.ts';
import type { DuberCaller, StepHandover } from './stepHandover.ts';

/** What a Duber sends with a step that hands the laundry over. */
export type ProofReport = {
  readonly pin?: string | undefined;
  readonly bags?: number | undefined;
  readonly bagCodes?: readonly string[] | undefined;
  readonly fileIds?: readonly string[] | undefined;
  readonly place?: PhonePlace | undefined;
};

const RECIPIENT_OF = {
  collected: () => 'Duber',
  delivered: (type) => (type === 'Bud_To_Scrub' ? 'Scrub' : 'Bud'),
  'brought-back': (type) => (type === 'Bud_To_Scrub' ? 'Bud' : 'Scrub'),
} as const satisfies Record<string, (type: DeliveryType) => PinSide | 'Duber'>;

/** Refuses a step without a proof where the town demands one. */
export async function refuseUnproven(
  tx: Tx,
  { duberId, deliveryId, action }: { duberId: string; deliveryId: string; action: 'collected' | 'delivered' },
  now: Date,
): Promise<never> {
  const facts = await findProofFacts(tx, duberId, deliveryId, now);
  refuseMissingProof(action, facts?.isPinBlocked ? 'pin-blocked' : 'pin');
}

type Proof = {
  readonly deliveryId: string;
  readonly action: keyof typeof RECIPIENT_OF;
  readonly report: ProofReport;
  readonly requestKey: Buffer | null;
};

/**
 * Judges the proof of a step, before the step. Refuses a wrong PIN, a bag of another order, and too little proof where the town
 * demands it. Undefined when the step is not open to the caller now: then the step itself says why.
 */
export async function checkProof(
  { db, now }: Context,
  caller: DuberCaller,
  { deliveryId, action, report, requestKey }: Proof,
): Promise<StepHandover | undefined> {
  const facts = await findProofFacts(db, caller.id, deliveryId, now());
  const isOpen = facts && findTransitions(DELIVERY_ROWS, facts.status, 'Duber').some((row) => row.action === action);
  if (!isOpen) return undefined;
  const { orderId, isProofDemanded, isPinBlocked } = facts;
  const recipient = RECIPIENT_OF[action](facts.deliveryType);
  const { pin, bagCodes = [], fileIds = [] } = report;
  const place = exactPlace(report.place) ?? null;
  const codes = [...new Set(bagCodes)];
  if (codes.length > 0) await checkCodes(db, orderId, codes);
  // With a photo a blocked PIN is no longer asked for.
  const isPinTried = recipient !== 'Duber' && pin !== undefined && !(isPinBlocked && fileIds.length > 0);
  const entered = isPinTried ? ({ orderId, deliveryId, side: recipient, pin } as const) : undefined;
  const keyed = keyedStep(caller, { id: deliveryId, action, requestKey });
  if (entered) await checkPin(db, entered, now(), (tx) => isRepeated(tx, keyed));
  const bags = report.bags ?? (codes.length > 0 ? codes.length : undefined);
  const isAtDoor = place !== null && distanceInMeters(place, facts.door) <= ARRIVED_WITHIN_M;
  const proof = findProof({
    ...{ recipient, isPinBlocked, isAtDoor, bags, mayLeaveAtDoor: facts.mayLeaveAtDoor },
    ...{ isPinRight: isPinTried, photos: fileIds.length, bagCodes: codes.length, hasPlace: place !== null },
  });
  const isFirst = recipient === 'Duber' ? !facts.isHeldByDuber : !facts.hasReachedRecipient;
  if (isProofDemanded && isFirst && !isEnoughProof(proof, { recipient, isPinBlocked, isAtDoor })) {
    if (isPinBlocked && recipient !== 'Duber') refuse('pinBlocked');
    refuseMissingProof(
      action,
      recipient === 'Bud' && proof === 'photo' ? missingAtDoor(facts.mayLeaveAtDoor, place) : 'pin',
    );
  }
  return { proof, bags: bags ?? null, place, fileIds, pin: entered };
}

/** What a photo at the Bud's door lacks. Without its place it is one of a door only where the Bud allows that. */
function missingAtDoor(mayLeaveAtDoor: boolean, place: Point | null) {
  if (mayLeaveAtDoor) return 'door-without-place';
  return place === null ? 'pin' : 'door-not-allowed';
}

async function checkCodes(tx: Tx, orderId: string, codes: readonly string[]): Promise<void> {
  const known = await findCodesOf(tx, orderId, codes);
  const foreign = codes.find((code) => !known.includes(code));
  if (foreign !== undefined) refuse('wrongBag', { message: `Bag ${foreign} does not belong to the order` });
}
