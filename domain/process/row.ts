import type { Role } from '../accounts.ts';
import type { CaseKind } from '../cases.ts';
import type { DeliveryType } from '../deliveries.ts';
import type { EarningKind } from '../earnings.ts';
import type { NotificationKind } from '../notifications.ts';
import type { OrderSize } from '../orders.ts';
import type { Cents } from '../payments.ts';
import type { PriceLine } from '../prices.ts';
import type { CorrectionState } from '../weighing.ts';

/**
 * Who is told of a step: a person of the order, the one whom a delivery comes from or goes to, its Duber, or who has its laundry.
 * `atPickup` hands the laundry to the Duber: the sender, or the Duber who could not go on.
 */
export type Told = 'Bud' | 'Scrub' | 'sender' | 'recipient' | 'atPickup' | 'duber' | 'holder';

/** The notices about a delivery that does not go as planned, or is delivered. */
export type DeliveryNoticeKind = 'arrived' | 'failed-pickup' | 'failed-drop' | 'dropped' | 'called-off' | 'delivered';

type Notice<Kind extends string, To extends string> = { readonly kind: Kind; readonly to: readonly To[] };
export type DeliveryNotice = Notice<DeliveryNoticeKind, Told> & {
  /** Only those who have read that the laundry is lost are told: they read that it is found. */
  readonly onlyAfterLoss?: true;
};
/** `Duber`: every Duber with an active delivery of the order, and the Duber who holds its laundry. */
export type OrderNotice = Notice<NotificationKind, Role>;

/** Who bears what a Duber is paid. `order`: the rest of the Bud's fee for this way, and the platform pays what is missing. */
export type Payer = 'order' | 'platform' | 'scrub';

/** Something besides the word of the Duber that shows that the paid thing happened. */
export type Proof = 'failure' | 'failure-before' | 'on-the-way';

export type RowEarning<Taken> = {
  readonly kind: EarningKind;
  /** Undefined when nothing is paid. */
  readonly borneBy: (taken: Taken) => Payer | undefined;
  /** By default the price of the delivery. */
  readonly cents?: (taken: Taken) => Cents;
  /**
   * What proves it; by default, another person says what happened. What the platform pays waits: for the town without proof, otherwise for
   * a while (`waitOfEarning` in domain/earnings.ts).
   */
  readonly provenBy?: Proof;
};

/** The cases that steps open for the town. */
export type StepCase = 'lost' | 'failed-pickup' | 'failed-drop' | 'scrub-silent' | 'late' | 'window' | 'weighing';
export type Opens = {
  readonly case: StepCase;
  /** Who may have caused it. */
  readonly about?: 'Duber' | 'Scrub';
  /** By default the reason of the step. */
  readonly reason?: string;
};

/** The side that ends an order or has it cleaned again, and bears the earning of a Duber on the way. */
export type EndedBy = 'bud' | 'scrub' | 'platform';

/**
 * What a row of any subject can cause besides its status. The others stand with their subject, in the order in which the server does them.
 * A function here is pure and stands in the file of its row. An effect that does not apply does nothing; a choice between two effects is
 * two rows.
 */
type Causes<SomeNotice> = {
  /** A case for the town. */
  readonly opens?: Opens;
  readonly notifies?: SomeNotice;
};
/** The columns that the step changes, before its effects. */
type Sets<Taken, Columns> = { readonly sets?: (taken: Taken) => Partial<Columns> };

/** What a row of a delivery causes. Columns that a row does not set stay, except for `stoppedAt` and `lostAt`: every step clears them. */
export type DeliveryCauses<Taken, Columns> = Sets<Taken, Columns> &
  Causes<DeliveryNotice> & {
    /** The Duber is new: the one before may know the PINs of the order. */
    readonly changesPins?: true;
    /** Closes the case that the last step had opened: it was a mistake. */
    readonly closesCase?: true;
    /** The last hand-over of the delivery was a mistake: the last of all, or only one of this attempt. */
    readonly takesBack?: 'handover' | 'handover-of-attempt';
    /** The laundry comes to the Duber, to the one for whom the delivery is, or back to the one whom it came from. */
    readonly handsOver?: 'duber' | 'recipient' | 'sender';
    /** What the Duber earned in this attempt is taken back. */
    readonly undoes?: 'earnings';
    readonly pays?: RowEarning<Taken>;
    /** What the Duber earns with the order waits, for this reason. */
    readonly holds?: 'lost';
    /** Deletes these notices. People who got the notice "delivered" get a correction. */
    readonly unsays?: readonly DeliveryNoticeKind[];
    /** Notifies the Dubers near the pickup again. */
    readonly offers?: true;
    /** The order gets back what nobody has earned, once all its deliveries have ended, and closes after a while. */
    readonly settles?: true;
    /** The Scrub is reminded to start, or the completed order closes after a while. */
    readonly arrives?: true;
  };

/** What a row of an order causes. `Columns` are those of the order that a row may set. */
export type OrderCauses<Taken, Columns> = Sets<Taken, Columns> &
  Causes<OrderNotice> & {
    /** The PINs of the round that begins. */
    readonly makesPins?: true;
    /** The deliveries that have not ended and carry no laundry are called off. */
    readonly callsOff?: EndedBy;
    /** The weight of the Scrub and the question to the Bud are deleted: nothing was charged for them. */
    readonly forgetsWeight?: true;
    /** The order and its deliveries are another Scrub's from now on. */
    readonly changesScrub?: true;
    /** Charges the amount that is held on the card, unless the laundry is weighed first. */
    readonly charges?: 'hold';
    /** In the first round: what limits the orders that a Bud places, or takes back. */
    readonly counts?: 'acceptance' | 'cancellation';
    /** The Scrub, the platform and the state earn their parts of the price, once. */
    readonly earns?: 'completion';
    /** Without a Duber: the laundry comes to the Scrub or back to the Bud, if the other one has it. */
    readonly handsOver?: 'Scrub' | 'Bud';
    /** No delivery opens when the Bud brings or fetches the laundry, unless it `isWayHome`: the order ends here. */
    readonly opensDelivery?: { readonly type: DeliveryType; readonly isWayHome?: true };
    /** `ended`: the hold is released, or the charge goes back, less what Dubers earned. `unearned`: what nobody has earned goes back. */
    readonly refunds?: 'ended' | 'unearned';
    /** The order and its deliveries have these windows from now on: what its Bud asks for, or what was proposed. */
    readonly movesWindows?: 'asked' | 'proposed';
    /** Asks the Bud whether these windows suit them, too. */
    readonly proposes?: true;
    /** If the promised time is missed: where the town pays for that by itself, its credit is owed, once. */
    readonly owes?: 'credit';
    /** Pays the credit that is owed for a missed promise, unless the promise was kept after all. Who had the laundry then bears the credit. */
    readonly settlesPromise?: true;
    /** What becomes of a proposal. `expired`: the Bud has not answered in time. */
    readonly answersProposal?: 'yes' | 'no' | 'expired';
    /** These notices can be sent again. */
    readonly forgets?: readonly NotificationKind[];
    /** The people whose screens update: by default the Bud and the Scrub. */
    readonly tells?: readonly ('Bud' | 'Scrub')[];
    /** The order disappears from the screens of the Scrub who leaves it. */
    readonly leaves?: 'Scrub';
  };

/** What a row of weighing causes. */
export type WeighingCauses<Taken> = Causes<OrderNotice> & {
  /** When the scales of the Duber and the Scrub disagree, a case opens, and the lower weight counts. */
  readonly comparesScales?: true;
  /** The Bud says that the weight is wrong. */
  readonly contests?: true;
  /** The size of the weight differs from that of the order: the state of the new price. */
  readonly corrects?: Extract<CorrectionState, 'lighter' | 'auto' | 'asked'>;
  /** The question to the Bud is answered. */
  readonly answers?: Extract<CorrectionState, 'paid' | 'kept' | 'sent-back'>;
  /** The order has this size and price from now on, which its card is charged; never more than what is held. */
  readonly charges?: (taken: Taken) => { readonly size: OrderSize; readonly lines: readonly PriceLine[] };
  /** Charges the estimate of the placement. */
  readonly chargesEstimate?: true;
};

/** What a row of a case causes. All people of a case see each step on their screens. */
export type CaseCauses<Taken, Columns> = Sets<Taken, Columns> & {
  /** What Dubers earned with trips that wait for the case is taken back, if the town says so. */
  readonly takesBack?: 'trips';
  /**
   * `offer`: its maker pays the Bud back, or pays for cleaning the order again. `decision`: the items, the refund to the card and who bears
   * the refund. The platform bears the part that a side no longer bears.
   */
  readonly carriesOut?: 'offer' | 'decision';
  /** What waits for the case can be paid out: earnings of trips, and the credits of the person whom it is about. */
  readonly frees?: true;
  /** So much of the credits of the person whom the case is about waits. */
  readonly holds?: (taken: Taken) => Cents;
  /** What Dubers earn because of the problem waits for the end of the case, and is not paid out by itself. */
  readonly holdsEarnings?: true;
  /** A mail to all people of the case, except for the one who takes the step. */
  readonly notifies?: 'others';
};

/** What a row of a chargeback causes. */
export type DisputeCauses<Taken, Columns> = Sets<Taken, Columns> & {
  /** What waits to be paid for the order, from when the chargeback is found until it has ended. */
  readonly holds?: 'chargeback';
  readonly frees?: 'chargeback';
  readonly opens?: { readonly case: CaseKind };
  /** What the order's history says is kept for the bank. */
  readonly keeps?: 'evidence';
  /** Calls the card network, whose answer moves the chargeback. */
  readonly calls?: 'send' | 'accept';
  /** The call to the card network is over. */
  readonly endsCall?: true;
  /** The money that the bank has taken comes back, or is lost: the platform bears it, or the side that was named. */
  readonly settles?: 'won' | 'lost';
  /** A mail to the town. */
  readonly warns?: 'town';
  /** The town is warned again before the bank stops waiting. */
  readonly startsWarning?: true;
};
