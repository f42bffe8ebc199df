import type { Role } from './accounts.ts';
import { withoutSeparators } from './typed.ts';

/**
 * How the one who takes the laundry proved it. `taker-pressed` is their own phone, `door` a photo of laundry that may stand
 * at the door.
 */
export const PROOFS = ['none', 'count', 'bag-codes', 'photo', 'pin', 'taker-pressed', 'door'] as const;
export type Proof = (typeof PROOFS)[number];

/** The sides with a PIN. A Duber proves a hand-over with bags or a photo. */
export const PIN_SIDES = ['Bud', 'Scrub'] as const;
export type PinSide = (typeof PIN_SIDES)[number];

export const PIN_LENGTH = 4;
/** After this many wrong ones no PIN of the order is tried any more: a photo is needed. */
export const MAX_PIN_TRIES = 5;

export const MAX_BAGS = 20;
/** The characters of a bag's code: without 0 and O, 1 and I, which look alike on a tag. */
export const BAG_CODE_CHARACTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
export const BAG_CODE_LENGTH = 6;
const BAG_CODE_PATTERN = /^[2-9A-HJ-NP-Z]{6}$/;

/** Reads the code of a bag from typed or scanned text: a scanned tag is a link that ends with the code. */
export function readBagCode(scanned: string): string | undefined {
  const code = withoutSeparators(scanned.split('/').at(-1) ?? '').toUpperCase();
  return BAG_CODE_PATTERN.test(code) ? code : undefined;
}

/** What is known when laundry changes hands. */
export type ProofFacts = {
  readonly recipient: Role;
  /** Whether the PIN was right. */
  readonly isPinRight: boolean;
  /** Whether there were too many wrong PINs. */
  readonly isPinBlocked: boolean;
  readonly photos: number;
  readonly bags?: number | undefined;
  readonly bagCodes: number;
  readonly hasPlace: boolean;
  /** Whether the place is at the door of the one who takes it. */
  readonly isAtDoor: boolean;
  /** Whether the Bud lets the laundry stand at the door. */
  readonly mayLeaveAtDoor: boolean;
};

/** The strongest proof that a Duber's step has. The recipient's own press is a step of theirs. */
export function findProof(facts: ProofFacts): Proof {
  if (facts.isPinRight) return 'pin';
  if (facts.bagCodes > 0) return 'bag-codes';
  if (facts.photos > 0) return isLeftAtDoor(facts) ? 'door' : 'photo';
  return facts.bags === undefined ? 'none' : 'count';
}

const isLeftAtDoor = ({ recipient, mayLeaveAtDoor, hasPlace }: ProofFacts) =>
  recipient === 'Bud' && mayLeaveAtDoor && hasPlace;

const ENOUGH_FOR_DUBER: readonly Proof[] = ['bag-codes', 'photo', 'count'];
const ENOUGH_FOR_OTHERS: readonly Proof[] = ['pin', 'door'];

/**
 * Whether a proof is enough where the town demands one: the side that takes the laundry proves it. A photo in place of a PIN is
 * taken where they live.
 */
export function isEnoughProof(
  proof: Proof,
  { recipient, isPinBlocked, isAtDoor }: Pick<ProofFacts, 'recipient' | 'isPinBlocked' | 'isAtDoor'>,
): boolean {
  if (recipient === 'Duber') return ENOUGH_FOR_DUBER.includes(proof);
  return ENOUGH_FOR_OTHERS.includes(proof) || (proof === 'photo' && isPinBlocked && isAtDoor);
}
