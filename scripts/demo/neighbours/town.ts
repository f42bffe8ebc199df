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
  /** When to look again, in milliseconds of the clock. */
  lookAt: number;
  failures: number;
};

export type DubersWay = Drive & { readonly line: readonly [Point, ...Point[]] };

/** What neighbours know in common. */
export type Town = {
  readonly neighbours: readonly Neighbour[];
  readonly visits: Pick<Visits, 'isHere' | 'lastActAt'>;
  readonly since: number;
  readonly pace: number;
  readonly now: () => number;
  /** Whether somebody is a neighbour whom no visitor plays. */
  readonly isNeighbour: (userId: string) => boolean;
  /** What is left alone: what was refused a short while ago, or said already. And until when. */
  readonly leftUntil: Map<string, number>;
};

/** Whether a neighbour is played by a visitor now. */
export const isPlayed = (town: Town, { id }: Resident) => town.visits.isHere(id);

export const isLeft = (town: Town, id: string) => (town.leftUntil.get(id) ?? 0) > town.now();

export function leave(town: Town, id: string): void {
  for (const [other, until] of town.leftUntil) if (until <= town.now()) town.leftUntil.delete(other);
  town.leftUntil.set(id, town.now() + TIMES.refused / town.pace);
}

/** Says that the laundry of an order is here, with as many bags as were counted last. */
export async function receive({ api }: Resident, orderId: string): Promise<void> {
  const params = { id: orderId };
  const { bags } = await api.readCustody({ params });
  await api.confirmReceived({ params, body: { bags: bags ?? 1 } });
}

const ENDS_SESSION = [401, 429];

/** Takes a step. One that is refused is left alone for a while: somebody was faster, or the town has a rule against it. */
export async function attempt(town: Town, id: string, step: () => Promise<unknown>): Promise<void> {
  try {
    await step();
  } catch (error) {
    const isRefused = error instanceof CallFailed && error.statusCode < 500 && !ENDS_SESSION.includes(error.statusCode);
    if (!isRefused) throw error;
    leave(town, id);
  }
}
