import type { DeliveryStatus } from '../domain/deliveries.ts';
import type { DeliverySituation } from '../domain/process/situation.ts';

// What people read of a delivery, looked up by its situation and its reader. The page of a delivery shows these sentences.

/** The Duber who makes the delivery, or anybody else. */
export type DeliveryReader = 'Duber' | 'others';

/** What the sentences about a delivery depend on, besides its situation and its reader. */
type ToldDelivery = {
  readonly status: DeliveryStatus;
  /** Since when the laundry stands at the door of its Bud, as text. */
  readonly leftAtDoor: string | undefined;
  /** Whether its Duber cannot work now. */
  readonly isDuberAway: boolean;
  /** Whether its Duber has accepted it ahead, for its window. */
  readonly isAhead: boolean;
};
type Sentence = (delivery: ToldDelivery) => string;

const unlessAtDoor =
  (sentence: Sentence): Sentence =>
  (delivery) =>
    delivery.leftAtDoor === undefined
      ? sentence(delivery)
      : `The laundry stands at the door since ${delivery.leftAtDoor}.`;

/** Of a delivery that is under way. */
const unlessAway = (sentence: Sentence): Sentence =>
  unlessAtDoor((delivery) =>
    delivery.isDuberAway ? 'We do not know yet when the trip continues. We will tell you.' : sentence(delivery),
  );

const FOR_OTHERS: Readonly<Record<DeliverySituation, Sentence>> = {
  lost: () => 'The laundry is reported as lost.',
  stranded: () => 'This delivery was called off while a Duber had the laundry.',
  'called-off': unlessAtDoor(() => 'This delivery was called off.'),
  'not-taken': () => 'The laundry could not be handed over. The Duber still has it.',
  relayed: () => 'The laundry is with a Duber who could not continue, until another one takes over.',
  'not-collected': () => 'The laundry was not collected.',
  'way-back': unlessAway(() => 'The laundry is on its way back.'),
  'brought-back': unlessAway(() => 'The laundry was brought back.'),
  'at-pickup': unlessAway(() => 'The Duber is on the way to the pickup.'),
  'at-drop': unlessAway(() => 'The laundry is on its way to the drop-off.'),
  carried: unlessAway(({ status }) =>
    status === 'Collected' ? 'The laundry is with the Duber.' : 'The laundry is on its way to the drop-off.',
  ),
  coming: unlessAway(({ status, isAhead }) => {
    if (isAhead) return 'A Duber has accepted it for the agreed time.';
    return status === 'Accepted'
      ? 'A Duber has accepted it and will set out soon.'
      : 'The Duber is on the way to the pickup.';
  }),
  'waits-for-duber': unlessAtDoor(() => 'Waiting for a nearby Duber to accept it.'),
  delivered: unlessAtDoor(() => 'The laundry has arrived.'),
};

export const DELIVERY_TEXTS: Readonly<Record<DeliveryReader, Readonly<Record<DeliverySituation, Sentence>>>> = {
  others: FOR_OTHERS,
  // What is missing is said as to everybody.
  Duber: {
    ...FOR_OTHERS,
    'not-taken': () => 'You could not hand the laundry over, and still have it.',
    'way-back': () => 'You are taking the laundry back.',
    'brought-back': () => 'You have taken the laundry back.',
    'at-pickup': () => 'You are on the way to the pickup.',
    'at-drop': () => 'You are on the way to the drop-off.',
    carried: ({ status }) => (status === 'Collected' ? 'You have the laundry.' : 'You are on the way to the drop-off.'),
    coming: ({ status }) =>
      status === 'Accepted'
        ? 'You accepted this delivery. Tap the button when you set out.'
        : 'You are on the way to the pickup.',
    delivered: () => 'You have delivered it.',
  },
};
