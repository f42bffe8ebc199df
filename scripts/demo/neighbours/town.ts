import { CallFailed } from '../../../contract/callClient.ts';
import type { Client } from '../../../contract/client.ts';
import type { Address } from '../../../contract/places.ts';
import type { DemoPerson } from '../people.ts';
import type { Visits } from '../visits.ts';
import type { Drive } from './duber.ts';
import { TIMES } from './times.ts';

type Point = { readonly latitude: number; readonly longitude: number };

/** A demo person who acts by themselves, once they have signed in. */
export type Resident = { readonly id: string; readonly home: Address; readonly api: Client };

export type Neighbour = {
  readonly person: DemoPerson;
  resident: Resident | undefined;
  /** The time of the next turn, in milliseconds. */
  nextTurnAt: number;
  failures: number;
};

export type DuberRoute = Drive & { readonly line: readonly [Point, ...Point[]] };

/** What all neighbours share. */
export type Town = {
  readonly neighbours: readonly Neighbour[];
  readonly visits: Pick<Visits, 'isHere' | 'lastActAt'>;
  readonly since: number;
  readonly pace: number;
  readonly now: () => number;
  /** Whether somebody is a neighbour whom no visitor plays. */
  readonly isNeighbour: (userId: string) => boolean;
  /** Ids to skip because a step was refused or is done, and until when. */
  readonly skippedUntil: Map<string, number>;
};

/** Whether a neighbour is played by a visitor now. */
export const isPlayedByVisitor = (town: Town, { id }: Resident) => town.visits.isHere(id);

export const isSkipped = (town: Town, id: string) => (town.skippedUntil.get(id) ?? 0) > town.now();

export function skipForAWhile(town: Town, id: string): void {
  for (const [other, until] of town.skippedUntil) if (until <= town.now()) town.skippedUntil.delete(other);
  town.skippedUntil.set(id, town.now() + TIMES.refused / town.pace);
}

/** Says that the laundry of an order is here, with as many bags as were counted last. */
export async function receive({ api }: Resident, orderId: string): Promise<void> {
  const params = { id: orderId };
  const { bags } = await api.readCustody({ params });
  await api.confirmReceived({ params, body: { bags: bags ?? 1 } });
}

const ENDS_SESSION = [401, 429];

/** Takes a step. When it is refused, its subject is skipped for a while: someone was faster, or a rule of the town forbids it. */
export async function tryStep(town: Town, id: string, step: () => Promise<unknown>): Promise<void> {
  try {
    await step();
  } catch (error) {
    const isRefused = error instanceof CallFailed && error.statusCode < 500 && !ENDS_SESSION.includes(error.statusCode);
    if (!isRefused) throw error;
    skipForAWhile(town, id);
  }
}
