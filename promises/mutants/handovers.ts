import type { Mutant } from './mutant.ts';

/** Who has the laundry, and what proves it. */
export const HANDOVER_MUTANTS: readonly Mutant[] = [
  {
    mutant: 'a PIN is compared by its first digits',
    at: 'server/handovers/pins.ts#isSamePin',
    becomes: 'timingSafeEqual(Buffer.from(pin.slice(0, 3)), Buffer.from(entered.slice(0, 3)))',
    suite: 'server/handovers/handovers.test.ts',
  },
  {
    mutant: 'the Duber sees the PIN of the Scrub',
    at: 'server/handovers/custody.ts#readCustody',
    set: ['pin', "(await findOrMakePin(tx, order.id, 'Scrub', now))?.pin ?? null"],
    suite: 'server/handovers/handovers.test.ts',
  },
  {
    mutant: 'the right PIN is accepted after five wrong ones',
    at: 'server/handovers/pins.sql.ts#takePinTry',
    remove: 'and tries < ${MAX_PIN_TRIES}',
    suite: 'server/handovers/handovers.test.ts',
  },
  {
    mutant: 'a PIN opens more than one hand-over',
    at: 'server/deliveries/effects/handOver.ts#handOver',
    skip: 'usePin',
    suite: 'server/handovers/usedPins.test.ts',
  },
  {
    mutant: 'the sender of a hand-over is the person the step expects, not the one who has the laundry',
    at: 'server/handovers/recordHandover.ts#recordHandover',
    replace: ['o.holder_role, o.holder_id', "'Bud', o.bud_id"],
    suite: 'server/handovers/custodyChain.test.ts',
  },
  {
    mutant: 'a late report of a delivery takes the laundry from the Bud who has it back',
    at: 'server/deliveries/effects/handOver.ts#handOver',
    replace: ['isDelivered && facts.hasMovedOn', 'false'],
    suite: 'server/handovers/movedOn.test.ts',
  },
  {
    mutant: 'laundry that is brought back stays recorded with the Duber',
    at: 'domain/process/delivery.ts#BROUGHT_BACK',
    remove: "handsOver: 'sender',",
    suite: 'promises/exceptionSteps.test.ts',
  },
  {
    mutant: 'an order is cancelled while an earlier Duber has its laundry',
    at: 'domain/laundry.ts#isOnBoard',
    remove: 'isRelayed(leg)',
    suite: 'server/orders/laundryStates.test.ts',
  },
  {
    mutant: 'a delivery is called off while a Duber who could not continue has its laundry',
    at: 'domain/needs.ts#DELIVERY_NEEDS.not-relayed',
    becomes: 'true',
    suite: 'server/deliveries/callOff.test.ts',
  },
  {
    mutant: 'a step is taken back after ten minutes',
    at: 'domain/needs.ts#DELIVERY_NEEDS.can-be-undone',
    replace: ['UNDO_MS', '2 * UNDO_MS'],
    suite: 'server/deliveries/undo.test.ts',
  },
  {
    mutant: 'a step uses the photo of somebody else',
    at: 'server/files/files.sql.ts#bindFiles.isOwn',
    replace: ['owner_id = ${owner}', 'owner_id is not null'],
    suite: 'server/files/files.test.ts',
  },
];
