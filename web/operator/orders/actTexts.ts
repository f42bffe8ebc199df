import type { DeliveryTownCall, OrderTownCall } from '../../../contract/operator/orderActs.ts';

type ActTexts = {
  /** What the button on the page says. */
  readonly label: string;
  readonly title: string;
  /** What happens then. */
  readonly explain: string;
  readonly button: string;
  readonly done: string;
  readonly isDestructive?: true;
};

/** The texts of what an operator does with an order. A new row of the workflow does not compile without them. */
export const ORDER_ACT_TEXTS: Readonly<Record<OrderTownCall, ActTexts>> = {
  'cancel-by-operator': {
    label: 'Cancel Order',
    title: 'Cancel the order?',
    explain: 'The card gets back what nobody has earned. The Bud, the Scrub and Dubers on the way are notified.',
    button: 'Cancel the Order',
    done: 'The order is cancelled',
    isDestructive: true,
  },
  'give-back': {
    label: 'Find Another Scrub',
    title: 'Take it from the Scrub?',
    explain: 'The Bud chooses another Scrub at the same price. After 4 hours without one it is cancelled.',
    button: 'Take It from the Scrub',
    done: 'The Bud is asked to choose another Scrub',
  },
  reopen: {
    label: 'Clean Again',
    title: 'Have it cleaned again?',
    explain: 'The order goes back to its Scrub. The ways there and back are as before, at no cost for the Bud.',
    button: 'Have It Cleaned Again',
    done: 'The order is cleaned again',
  },
};

/** The same for a delivery. */
export const DELIVERY_ACT_TEXTS: Readonly<Record<DeliveryTownCall, ActTexts>> = {
  'take-off': {
    label: 'Take Duber Off',
    title: 'Take the Duber off?',
    explain: 'The delivery is offered to other Dubers at once.',
    button: 'Take the Duber Off',
    done: 'The delivery is offered again',
    isDestructive: true,
  },
  'bring-back': {
    label: 'Have It Brought Back',
    title: 'Have it brought back?',
    explain: 'The Duber brings the laundry back to the one who gave it first, and is paid for the way.',
    button: 'Have It Brought Back',
    done: 'The Duber brings it back',
  },
  'brought-back': {
    label: 'Mark as Brought Back',
    title: 'Is the laundry back?',
    explain: 'Ask the person who has it. The Duber is done, and is paid for the way back.',
    button: 'Mark as Brought Back',
    done: 'The laundry is back',
  },
  'mark-delivered': {
    label: 'Mark as Delivered',
    title: 'Is the laundry delivered?',
    explain: 'Ask the person who has it. The Duber is done, and is paid for the way.',
    button: 'Mark as Delivered',
    done: 'The laundry is delivered',
  },
  're-offer': {
    label: 'Offer Again',
    title: 'Offer the delivery again?',
    explain: 'Dubers nearby can take it at once.',
    button: 'Offer It Again',
    done: 'The delivery is offered again',
  },
  relay: {
    label: 'Hand On to Another Duber',
    title: 'Hand it on to another Duber?',
    explain: 'Another Duber collects the laundry where it is now. The first one is paid for the way so far.',
    button: 'Hand It On',
    done: 'The delivery is offered from where the laundry is',
  },
  'call-off': {
    label: 'Call Off',
    title: 'Call the delivery off?',
    explain: 'No Duber drives any more. A Duber who is on the way is paid for the trip.',
    button: 'Call It Off',
    done: 'The delivery is called off',
    isDestructive: true,
  },
  correct: {
    label: 'Take Last Step Back',
    title: 'Take the last step back?',
    explain: 'It was pressed by mistake. What was paid for it is taken back, too.',
    button: 'Take It Back',
    done: 'The step is taken back',
  },
  'report-lost': {
    label: 'Report Lost',
    title: 'Report the laundry as lost?',
    explain:
      'It opens an urgent case about the Duber, whose earnings from this order wait until the case is settled. All are notified.',
    button: 'Report It as Lost',
    done: 'The laundry is reported as lost',
    isDestructive: true,
  },
};
