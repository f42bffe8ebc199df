import { randomInt, timingSafeEqual } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { MAX_PIN_TRIES, PIN_LENGTH, type PinSide } from '../../domain/handovers.ts';
import { openCase } from '../cases/openCase.ts';
import { type Tx, transact } from '../db/database.ts';
import { refuse } from '../http/refusals.ts';
import { findPin, forgetPinTries, giveTryBack, insertPinsSql, type Pin, replacePin, takePinTry } from './pins.sql.ts';

/** The number that is added to a PIN to get the next PIN, which is always another. */
export const createPinShift = (): number => randomInt(1, 10 ** PIN_LENGTH);
const createPin = () => String(randomInt(10 ** PIN_LENGTH)).padStart(PIN_LENGTH, '0');

export { replacePinsSql } from './pins.sql.ts';

/** Makes the PINs of an order's round: a part of the `with` of the statement that moves it as `moved`. */
export const makePinsSql = (now: Date): RawBuilder<unknown> =>
  insertPinsSql(sql`moved`, { Bud: createPin(), Scrub: createPin() }, sql`${now}`);

/**
 * The PIN of one side of an order in its present round. An order that is cleaned again begins a round without an acceptance: its
 * PINs are made when one is first asked for, or entered.
 */
export async function findOrMakePin(tx: Tx, orderId: string, side: PinSide, now: Date): Promise<Pin | undefined> {
  const found = await findPin(tx, orderId, side);
  if (found) return found;
  const order = sql`(select o.id, o.round from orders o where o.id = ${orderId})`;
  await insertPinsSql(order, { Bud: createPin(), Scrub: createPin() }, sql`${now}`).execute(tx);
  return findPin(tx, orderId, side);
}

export type EnteredPin = {
  readonly orderId: string;
  readonly deliveryId: string;
  readonly side: PinSide;
  readonly pin: string;
};

/**
 * Refuses a wrong PIN. The try is committed before, so that it counts although the call is refused; the last one opens a case.
 * A request that was answered meanwhile, whose PIN has been replaced, is no try.
 */
export async function checkPin(
  db: Tx,
  entered: EnteredPin,
  now: Date,
  isRepeated: (tx: Tx) => Promise<boolean> = async () => false,
): Promise<void> {
  const { orderId, deliveryId, side } = entered;
  const verdict = await transact(db, async (tx) => {
    // Without PINs of this round a wrong one would not count, and would look like too many.
    await findOrMakePin(tx, orderId, side, now);
    const tried = await takePinTry(tx, orderId, side);
    if (!tried) return 'blocked';
    if (isSamePin(tried.pin, entered.pin)) {
      await forgetPinTries(tx, orderId, side);
      return 'right';
    }
    if (await isRepeated(tx)) {
      await giveTryBack(tx, orderId, side);
      return 'right';
    }
    if (tried.tries < MAX_PIN_TRIES) return 'wrong';
    await openCase(tx, { kind: 'wrong-pin', orderId, deliveryId }, now);
    return 'blocked';
  });
  if (verdict === 'wrong') refuse('wrongPin');
  if (verdict === 'blocked') refuse('pinBlocked');
}

/** A PIN opens one hand-over: the next one needs another. In the transaction of the step. Refuses when it has opened one meanwhile. */
export async function usePin(tx: Tx, entered: EnteredPin, now: Date): Promise<void> {
  if (!(await replacePin(tx, entered, { shift: createPinShift(), now }))) refuse('wrongPin');
}

/** Compares all digits in constant time. */
function isSamePin(pin: string, entered: string): boolean {
  return pin.length === entered.length && timingSafeEqual(Buffer.from(pin), Buffer.from(entered));
}
