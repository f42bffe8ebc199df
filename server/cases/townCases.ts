import { MAX_DUBERS, type TownCase, type TownCaseDetails } from '../../contract/operator/cases.ts';
import type { CaseStatus } from '../../domain/cases.ts';
import { toDollars } from '../../domain/payments.ts';
import type { Tx } from '../db/database.ts';
import type { PageBounds } from '../db/pages.ts';
import { sumTripsOfCase } from '../payments/earnings/earnings.ts';
import { readClaimCaps } from '../payments/refunds/refunds.ts';
import { findLeft } from './caseMoney.ts';
import { caseProperties, listCarriers, listEvents, listItems, offerOf } from './cases.sql.ts';
import {
  findPeopleOfCase,
  findTownCase,
  listEventsForTown,
  listLiableOfItems,
  listTownCaseRows,
  type TownCaseRow,
} from './townCases.sql.ts';

export { findTownCase, sumGivenByTown } from './townCases.sql.ts';

const viewOf = (row: TownCaseRow): TownCase => ({
  ...caseProperties(row),
  orderNumber: row.orderNumber,
  openedByName: row.openedByName,
  aboutName: row.aboutName,
});

export async function listTownCases(tx: Tx, state: CaseStatus | 'open', bounds: PageBounds): Promise<TownCase[]> {
  return (await listTownCaseRows(tx, state, bounds)).map(viewOf);
}

/** A case as an operator reads it, without the limits of operators. */
export async function readTownCase(
  tx: Tx,
  { id, isShown }: { readonly id: string; readonly isShown: boolean },
  now: Date,
): Promise<Omit<TownCaseDetails, 'limit'> | undefined> {
  const row = await findTownCase(tx, id);
  if (!row) return undefined;
  const left = await findLeft(tx, row);
  const caps = await readClaimCaps(tx, now);
  const [liable, forTown] = [await listLiableOfItems(tx, id), await listEventsForTown(tx, id, isShown)];
  return {
    ...viewOf(row),
    people: (await findPeopleOfCase(tx, id)) ?? null,
    dubers: await listDubers(tx, row.orderId),
    offer: offerOf(row),
    items: (await listItems(tx, id)).map((item, index) => ({ ...item, liable: liable[index] ?? null })),
    events: (await listEvents(tx, id)).map((event, index) => ({
      ...event,
      ...(forTown[index] ?? { name: null, place: null }),
    })),
    caps: { garment: toDollars(caps.garment), order: toDollars(caps.order) },
    left: left === undefined ? null : toDollars(left),
    trips: toDollars(await sumTripsOfCase(tx, id)),
  };
}

/** The Dubers who have had the laundry of an order, each once, with a delivery of theirs. */
async function listDubers(tx: Tx, orderId: string | null): Promise<TownCaseDetails['dubers']> {
  const carriers = await listCarriers(tx, orderId);
  return carriers
    .filter(({ duberId }, index) => carriers.findIndex((one) => one.duberId === duberId) === index)
    .slice(0, MAX_DUBERS)
    .map(({ deliveryId, name }) => ({ deliveryId, name }));
}
