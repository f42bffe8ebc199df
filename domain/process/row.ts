import type { Cents } from '../payments.ts';
import type { PayKind } from '../pays.ts';

/**
 * Who is told of a step: a person of the order, the one whom a delivery comes from or goes to, its Duber, or who has its laundry.
 * `giver` hands the laundry to the Duber: the sender, or the Duber who could not go on.
 */
export type Told = 'Bud' | 'Scrub' | 'sender' | 'recipient' | 'giver' | 'duber' | 'keeper';

/** The notices about a delivery that does not go as planned, or is delivered. */
export type DeliveryNoticeKind = 'arrived' | 'failed-pickup' | 'failed-drop' | 'dropped' | 'called-off' | 'delivered';

export type Notice = {
  readonly kind: DeliveryNoticeKind;
  readonly to: readonly Told[];
  /** Only those who have read that the laundry is lost are told: they read that it is found. */
  readonly onlyAfterLoss?: true;
};

/** Who bears what a Duber is paid: the order up to the Bud's fee for this way, the platform, or the Scrub. */
export type Payer = 'order' | 'platform' | 'scrub';

/** Something besides the word of the Duber that shows that the paid thing happened. */
export type Proof = 'failure' | 'failure-before' | 'on-the-way';

export type RowPay<Taken> = {
  readonly kind: PayKind;
  /** Undefined when nothing is paid. */
  readonly borneBy: (taken: Taken) => Payer | undefined;
  /** By default the price of the delivery. */
  readonly cents?: (taken: Taken) => Cents;
  /** Without proof, a pay that no order bears waits for the town. By default another person says what happened. */
  readonly provenBy?: Proof;
};

/** A case that a step opens for the town, or that the step before had opened. */
export type StepCase = 'lost' | 'failed-pickup' | 'failed-drop';

/**
 * What a row causes besides its status, in the order in which the server does it. A function here is pure and stands in the file of its
 * row. An effect that does not apply does nothing; a choice between two effects is two rows.
 */
export type Causes<Taken, Columns> = {
  /** The columns that the step changes. The others stay, but a step ends the time since which the subject has stopped. */
  readonly sets?: (taken: Taken) => Partial<Columns>;
  /** The Duber is new: the one before may know the PINs of the order. */
  readonly changesPins?: true;
  /** Closes the case that the last step had opened: it was a mistake. */
  readonly closesCase?: true;
  /** The last hand-over of the delivery was a mistake: the last of all, or only one of this attempt. */
  readonly takesBack?: 'handover' | 'handover-of-attempt';
  /** The laundry comes to the Duber, to the one for whom the delivery is, or back to the one whom it came from. */
  readonly handsOver?: 'duber' | 'recipient' | 'sender';
  readonly opens?: { readonly case: StepCase; readonly about?: 'duber' };
  /** What the Duber earned in this attempt is taken back. */
  readonly undoes?: 'pays';
  readonly pays?: RowPay<Taken>;
  /** What the Duber earns with the order waits, for this reason. */
  readonly holds?: 'lost';
  /** Can be told again; those who have read "delivered" read the contrary. */
  readonly unsays?: readonly DeliveryNoticeKind[];
  readonly notifies?: Notice;
  /** Notifies the Dubers near the pickup again. */
  readonly offers?: true;
  /** The order gets back what nobody has earned, once all its deliveries have ended, and closes after a while. */
  readonly settles?: true;
  /** The Scrub is reminded to start, or the completed order closes after a while. */
  readonly arrives?: true;
};
