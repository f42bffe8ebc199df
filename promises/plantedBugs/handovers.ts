// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code
import type { PlantedBug } from './plantedBug.ts';

const HANDOVERS = 'server/handovers/handovers.test.ts';
const CUSTODY_CHAIN = 'server/handovers/custodyChain.test.ts';
const CLEANED_AGAIN = 'server/handovers/cleanedAgain.test.ts';
const DEMANDED_PROOF = 'server/handovers/demandedProof.test.ts';
const MOVED_ON = 'server/handovers/movedOn.test.ts';

/** Bugs in who has the laundry, and in what proves it. */
export const HANDOVER_BUGS: readonly PlantedBug[] = [
  {
    bug: 'a PIN is compared by its first digits',
    file: 'server/handovers/pins.ts',
    find: 'return pin.length === entered.length && timingSafeEqual(Buffer.from(pin), Buffer.from(entered));',
    replace: 'return timingSafeEqual(Buffer.from(pin.slice(0, 3)), Buffer.from(entered.slice(0, 3)));',
    suite: HANDOVERS,
  },
  {
    bug: 'a hand-over is written again for somebody who has the laundry already',
    file: 'server/handovers/recordHandover.ts',
    find: '\n    where m.taker_id <> coalesce(last.taker_id, m.bud_id)`',
    replace: '`',
    suite: HANDOVERS,
  },
  {
    bug: 'the Duber sees the PIN of the Scrub',
    file: 'server/handovers/custody.ts',
    find: '? { canConfirm: false, pin: null, tags: [] }',
    replace: "? { canConfirm: false, pin: (await findOrMakePin(tx, order.id, 'Scrub', now))?.pin ?? null, tags: [] }",
    suite: HANDOVERS,
  },
  {
    bug: 'a Duber gets the codes of bags that they have not seen',
    file: 'server/handovers/bags.ts',
    find: "caller.role !== 'Duber' || madeBy === caller.id",
    replace: 'madeBy !== null',
    suite: HANDOVERS,
  },
  {
    bug: 'the giver is whom the step expects, not the one who has the laundry',
    file: 'server/handovers/recordHandover.ts',
    find: "coalesce(last.taker_role, 'Bud'), coalesce(last.taker_id, m.bud_id), m.taker_role",
    replace: "'Bud', m.bud_id, m.taker_role",
    suite: CUSTODY_CHAIN,
  },
  {
    bug: 'a hand-over at the same time as another one fails its step',
    file: 'server/handovers/recordHandover.ts',
    find: "constraint === 'handovers_pkey' || constraint === 'handovers_takers'",
    replace: "constraint === 'handovers'",
    suite: CUSTODY_CHAIN,
  },
  {
    bug: 'the right PIN is taken after five wrong ones',
    file: 'server/handovers/pins.sql.ts',
    find: ' and tries < ${MAX_PIN_TRIES}\n',
    replace: '\n',
    suite: HANDOVERS,
  },
  {
    bug: 'a photo at the door is enough although the Bud did not choose it',
    file: 'domain/handovers.ts',
    find: "taker === 'Bud' && mayLeaveAtDoor && hasPlace",
    replace: "taker === 'Bud' && hasPlace",
    suite: DEMANDED_PROOF,
  },
  {
    bug: 'the proof of laundry that is brought back is not read',
    file: 'server/deliveries/deliveryExceptions.ts',
    find: "action === 'brought-back' && caller.role === 'Duber'",
    replace: "action === 'correct' && caller.role === 'Duber'",
    suite: DEMANDED_PROOF,
  },
  {
    bug: 'an order that is cleaned again has no PINs',
    file: 'server/handovers/pins.ts',
    find: '  if (found) return found;',
    replace: '  if (true as boolean) return found;',
    suite: CLEANED_AGAIN,
  },
  {
    bug: 'a Duber says of laundry that its taker has that nobody took it',
    file: 'domain/deliveries.ts',
    find: "needs: ['not-taken', ...FAILED] },",
    replace: 'needs: FAILED },',
    suite: 'server/deliveries/undo.test.ts',
  },
  {
    bug: 'a Duber takes back that they delivered what its taker has confirmed',
    file: 'domain/needs.ts',
    find: "'not-confirmed': ({ isConfirmed }) => !isConfirmed,",
    replace: "'not-confirmed': ({ isConfirmed }) => !isConfirmed || true,",
    suite: DEMANDED_PROOF,
  },
  {
    bug: 'what the Scrub said on their phone proves that the laundry came back to the Bud',
    file: 'server/handovers/recordHandover.ts',
    find: 'last.taker_role = ${takerRole}',
    replace: "last.taker_role <> 'Duber'",
    suite: DEMANDED_PROOF,
  },
  {
    bug: 'laundry whose delivery was called off on the way never arrives',
    file: 'server/handovers/custody.ts',
    find: 'holder === giver || isStranded',
    replace: 'holder === giver',
    suite: DEMANDED_PROOF,
  },
  {
    bug: 'of two Dubers who come to the Bud, one without the laundry hands it over',
    file: 'server/handovers/custody.ts',
    find: 'arriving.find(({ duberId }) => duberId === last?.takerId)',
    replace: 'arriving[0]',
    suite: 'server/handovers/custodyChain.test.ts',
  },
  {
    bug: 'a hand-over of an earlier attempt is taken back',
    file: 'server/handovers/recordHandover.ts',
    find: '(${attempt}::integer is null or h.attempt = ${attempt}::integer)',
    replace: '(${attempt}::integer is null or h.attempt <= ${attempt}::integer)',
    suite: CUSTODY_CHAIN,
  },
  {
    bug: 'what a taker has confirmed is forgotten when the laundry moves on',
    file: 'server/handovers/recordHandover.ts',
    find: 'where h.order_id = d.order_id and h.delivery_id = d.id order by',
    replace: 'where h.order_id = d.order_id order by',
    suite: MOVED_ON,
  },
  {
    bug: 'a Duber who says late that they delivered takes the laundry from the Bud who has it back',
    file: 'server/deliveries/deliverySteps.sql.ts',
    find: 'from moved m ${arrives ? sql`where not ${HAS_MOVED_ON}` : sql``}`;',
    replace: 'from moved m where ${HAS_MOVED_ON} or true`;',
    suite: MOVED_ON,
  },
  {
    bug: 'laundry that was lost and found is never handed over',
    file: 'server/handovers/recordHandover.ts',
    find: "t.delivery_id = m.id and t.action = 'try-again'",
    replace: "t.delivery_id = m.id and t.action = 'never'",
    suite: MOVED_ON,
  },
  {
    bug: 'a Scrub is paid for laundry that they confirmed and whose delivery is taken back',
    file: 'server/payments/payoutHolds.sql.ts',
    find: ' or ${wasHandedOverByMistake})`',
    replace: ' or ${wasHandedOverByMistake} and false)`',
    suite: 'server/payments/seenLaundry.test.ts',
  },
  {
    bug: 'a Scrub reads in custody which photos were taken at a door before they were chosen',
    file: 'server/handovers/handovers.sql.ts',
    find: "if (role === 'Scrub') return canScrubSeePhotos(viewer, sql`h.round`);",
    replace: "if (role === 'Scrub') return sql`true`;",
    suite: 'server/handovers/handoverPhotos.test.ts',
  },
  {
    bug: 'a Scrub sees the photos of a door after they have given the order back',
    file: 'server/files/fileVisibility.sql.ts',
    find: 'takesPart(viewer, canScrubSeePhotos(viewer, sql`h.round`))',
    replace: 'takesPart(viewer, canScrubSeePhotos(viewer, sql`h.round`) && isScrub(viewer))',
    suite: 'server/handovers/handoverPhotos.test.ts',
  },
  {
    bug: 'a Scrub completes what is cleaned again before its laundry is back',
    file: 'server/orders/orders.ts',
    find: ': await isLaundryWithScrub(tx, current.id);',
    replace: ': true || (await isLaundryWithScrub(tx, current.id));',
    suite: CLEANED_AGAIN,
  },
  {
    bug: 'bags that were counted by mistake have to be the same later',
    file: 'server/handovers/handovers.sql.ts',
    find: 'and not ${WAS_TAKEN_BACK}',
    replace: '',
    suite: 'server/handovers/badDayHandovers.test.ts',
  },
  {
    bug: 'laundry that came back is not collected where proofs are demanded',
    file: 'server/handovers/proofs.ts',
    find: "taker === 'Duber' ? !facts.isHeldByDuber : !facts.hasReachedTaker",
    replace: '!facts.isHeldByDuber && !facts.hasReachedTaker',
    suite: MOVED_ON,
  },
  {
    bug: 'a second delivery of laundry that moved on counts as confirmed by its taker',
    file: 'server/handovers/proofs.ts',
    find: 'return { proof, bags: bags ?? null, place, fileIds };',
    replace: "return { proof: facts.hasReachedTaker ? 'taker-pressed' : proof, bags: bags ?? null, place, fileIds };",
    suite: MOVED_ON,
  },
];
