import type { ButtonProps } from '@mantine/core';
import type { ActName } from '../../contract/operator/api.ts';
import type { TouchedChoice } from '../../domain/moves.ts';
import { OTHER_SERVICES, SERVICE_NAMES } from '../../domain/services.ts';
import type { DialogSize } from '../ui/Dialog.tsx';
import { BEARER_TEXTS } from './disputeTexts.ts';
import { AUDIENCE_TEXTS } from './messageTexts.ts';
import { RESTRICTION_TEXTS } from './peopleTexts.ts';
import { PERMISSION_TEXTS } from './permissionTexts.ts';

/** A field of a dialog. Its kind is that of the call's shape, where no other is said. */
export type FieldTexts = {
  readonly label: string;
  readonly description?: string;
  readonly placeholder?: string;
  /** `town-time` and `noon` (of a day) are sent as an instant, `local-time` as it is typed. */
  readonly kind?: 'lines' | 'dollars' | 'whole' | 'town-time' | 'local-time' | 'noon';
  /** The values and their names, in their order. */
  readonly options?: () => Readonly<Record<string, string | { readonly name: string; readonly text: string }>>;
};

export const ASK_FOR_APPROVAL = 'Ask for Approval';

/** The texts of an act. `{name}` is what the act is about. */
export type ActTexts = {
  /** Its name in the audit and in approvals. */
  readonly name: string;
  /** The title of its dialog. Acts without one have a dialog that is made by hand. */
  readonly title?: string;
  /** The label of the button on the page; that of the dialog's button without one. */
  readonly label?: string;
  /** The dialog's button when it does not ask for approval: the name of the act without one. */
  readonly button?: string;
  /** Said when it is done. An act that another operator always approves or that waits for a day has none. */
  readonly done?: string;
  readonly text?: string;
  readonly reasonLabel?: string;
  readonly isDestructive?: true;
  readonly variant?: ButtonProps['variant'];
  readonly size?: DialogSize;
  readonly fields?: Readonly<Record<string, FieldTexts>>;
};

const READ_BY_THEM = 'Why? {name} reads it in an email';
const FROM_TOMORROW: FieldTexts = { label: 'From (tomorrow, if it is empty)', description: 'Tomorrow at the earliest' };
export const CORRECT_AT_ONCE: FieldTexts & { readonly description: string } = {
  label: 'Correct it at once',
  description:
    'For a price that was typed wrong. It holds in a minute. Who is ordering now sees the new price before they pay; placed orders keep theirs.',
};
const RIGHTS: FieldTexts = { label: 'Rights', options: () => PERMISSION_TEXTS };
const TOUCHED_TEXTS: Readonly<Record<TouchedChoice, string>> = {
  offer: 'Offer the next window that is open',
  keep: 'Keep them: somebody comes nevertheless',
  cancel: 'Cancel those that can be cancelled',
};
const TOUCHED: FieldTexts = {
  label: 'What becomes of the orders with a window then?',
  description: 'Whoever says no to the other time is a case for you: nobody comes at the agreed one.',
  options: () => ({ '': 'Please choose', ...TOUCHED_TEXTS }),
};
const ON_TOWN_CLOCKS = 'On the clocks of the town';
/** The form gives the zones as its options. */
const WHERE: FieldTexts = { label: 'Where', description: 'A zone takes orders for windows after that.' };
const OTHER_SERVICE_NAMES = Object.fromEntries(OTHER_SERVICES.map((service) => [service, SERVICE_NAMES[service]]));
export const TIME_ZONES = Object.fromEntries(
  ['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => [zone, zone]),
);

/** Every act of the console: its name, its dialog and its fields. */
export const ACTS: Readonly<Record<ActName, ActTexts>> = {
  pauseTown: {
    name: 'Pause the town',
    title: 'Pause the town?',
    button: 'Take No New Orders',
    done: 'No new orders are taken',
    text: 'Orders and deliveries that are under way go on, unless you choose something else.',
    fields: {
      until: { label: 'Until', kind: 'town-time' },
      words: {
        label: 'What people read',
        kind: 'lines',
        placeholder: 'There is a storm. We take orders again tomorrow at 8.',
      },
      touched: TOUCHED,
    },
  },
  openTown: { name: 'Open the town', title: 'Open the town?', button: 'Take Orders Again', done: 'The town is open' },
  setLimits: {
    name: 'Change limits',
    title: 'How much goes without asking?',
    label: 'Change Limits',
    button: 'Change Limits',
    done: 'The limits are changed',
    fields: {
      refundLimitOrder: { label: 'Of one order, in dollars', kind: 'dollars' },
      refundLimitDay: { label: 'In one day, in dollars', kind: 'dollars' },
      platformPayWeek: { label: 'Paid by the platform to one Duber in seven days, in dollars', kind: 'dollars' },
    },
  },
  setTimeZone: {
    name: 'Change the time zone',
    title: 'Where do days and weeks begin?',
    label: 'Change Time Zone',
    button: 'Change Time Zone',
    done: 'The time zone is changed',
    fields: { timeZone: { label: 'Time zone', options: () => TIME_ZONES } },
  },
  setServices: {
    name: 'Change services',
    title: 'What does the town offer besides wash and fold?',
    label: 'Change Services…',
    done: 'The services are changed',
    text: 'The questions and answers, and the front page, say of the others that they are not offered here.',
    fields: { services: { label: 'Services', options: () => OTHER_SERVICE_NAMES } },
  },
  setUpTown: { name: 'Set up the town' },
  setIdentity: { name: 'Change the name of the town' },
  setLogo: { name: 'Change the logo' },
  inviteOperator: {
    name: 'Invite an operator',
    title: 'Invite an operator',
    label: 'Invite…',
    button: 'Invite',
    done: 'The invitation is on its way',
    variant: 'filled',
    fields: { email: { label: 'Email' }, caps: RIGHTS },
  },
  changeRights: {
    name: 'Change rights',
    title: 'What may {name} do?',
    label: 'Rights…',
    button: 'Change Rights',
    done: 'The rights are changed',
    fields: { caps: RIGHTS },
  },
  resetFactor: {
    name: 'Reset a second factor',
    title: 'A new second factor for {name}?',
    label: 'Lost Phone…',
    text: 'Every session and passkey ends then, and {name} gets a link for a new password and phone.',
  },
  endOperator: {
    name: 'An operator leaves',
    title: '{name} leaves?',
    label: 'Leaves…',
    button: 'End This Account',
    done: '{name} is no operator any more',
    isDestructive: true,
    text: 'Every session ends at once. What they did stays under their name.',
  },
  refundOrder: { name: 'Give money back' },
  adjustOrder: { name: 'Correct the books of an order' },
  retryProblem: {
    name: 'Try a payment again',
    title: 'Try it again?',
    button: 'Try Again',
    done: 'It is tried again within seconds',
  },
  askForCard: {
    name: 'Ask for another card',
    title: 'Ask the Bud for another card?',
    button: 'Ask for Another Card',
    done: 'The Bud gets an email',
    text: 'The email says that {name} could not be charged, and asks them to write to you.',
  },
  dropRefund: {
    name: 'Give up a refund',
    title: 'Give up this refund of {name}?',
    button: 'Give Up',
    done: 'The refund is given up',
    isDestructive: true,
    text: 'Nothing goes back to the card. Pay the Bud in another way.',
  },
  recheckDay: {
    name: 'Compare a day with the card network',
    title: 'Compare {name} again?',
    label: 'Check Again…',
    button: 'Check Again',
    done: 'It is compared within seconds',
  },
  runPayouts: {
    name: 'Make payouts',
    title: 'Make payouts now?',
    button: 'Make Payouts',
    done: 'The payouts are made',
    text: 'Everything that was earned before Monday and waits for nothing. The town does it every Monday by itself.',
  },
  openPayoutFile: { name: 'Open a payout file' },
  sendPayouts: {
    name: 'Send payouts',
    title: 'Send {name}?',
    label: 'Send…',
    button: 'Send',
    done: 'There is a file for the bank now',
    variant: 'filled',
    text: 'There is a file for the bank then.',
  },
  returnPayout: {
    name: 'A payout came back',
    title: 'Did the bank return {name}?',
    label: 'Returned…',
    variant: 'subtle',
    text: 'They are owed the money again. Their payouts are on hold until you know where to send them, and an email asks them for another account.',
  },
  setUsBank: {
    name: 'Change the bank of the town',
    title: 'Which bank of the USA are payouts sent from?',
    label: 'Change US Bank',
    button: 'Change US Bank',
    done: 'The bank is changed',
    fields: {
      bankName: { label: 'Name of the bank', description: 'At most 23 letters, as banks print it' },
      routingNumber: { label: 'Routing number', description: 'Nine digits' },
      companyName: { label: 'Name of the town', description: 'Workers read it on their statement' },
      companyId: {
        label: 'Number from the bank',
        description: 'Ten letters or digits that the bank gives you for ACH',
      },
    },
  },
  setIban: {
    name: 'Change the IBAN of the town',
    title: 'Which IBAN are payouts sent from?',
    label: 'Change IBAN',
    button: 'Change IBAN',
    done: 'The IBAN is changed',
    fields: { name: { label: 'Name of the holder' }, iban: { label: 'IBAN' } },
  },
  exportTaxWorkers: {
    name: 'Read what workers were paid, with tax numbers',
    title: 'What was each worker paid in {name}?',
    label: 'Ask for What Workers Were Paid',
    text: 'It has names, mail addresses, sums and tax numbers. Once this is approved, you can download it for 24 hours. Keep it as carefully as your bank papers.',
  },
  revokeInvitation: {
    name: 'End an invitation',
    title: 'Take back the invitation of {name}?',
    label: 'Take Back…',
    button: 'Take It Back',
    done: 'The invitation is taken back',
    isDestructive: true,
  },
  decideCase: { name: 'Decide a case' },
  closeCase: {
    name: 'Close a case',
    title: 'Close {name} without a decision?',
    label: 'Close…',
    button: 'Close the Case',
    done: 'It is closed',
    fields: {
      words: { label: 'What the people of the case read', kind: 'lines' },
      takesBackTrip: { label: 'Do not pay the Duber’s trip' },
    },
  },
  sendBroadcast: {
    name: 'Write to many',
    title: 'Write an announcement',
    label: 'Write…',
    button: 'Send',
    done: 'The message is on its way',
    variant: 'filled',
    size: 'lg',
    fields: {
      to: { label: 'To', options: () => AUDIENCE_TEXTS },
      title: { label: 'Title' },
      words: { label: 'Words', kind: 'lines' },
      isUrgent: {
        label: 'Urgent',
        description: 'Goes out before everything else, also to people who were written to today.',
      },
    },
  },
  resendMessages: {
    name: 'Send messages again',
    title: 'Send it again',
    label: 'Send again…',
    button: 'Send again',
    done: 'It is on its way',
  },
  setPrice: {
    name: 'Change a price',
    title: '{name}',
    label: 'Change…',
    button: 'Change the Price',
    done: 'The price is changed',
    size: 'lg',
    fields: { value: { label: 'New price' }, atOnce: CORRECT_AT_ONCE, from: FROM_TOMORROW },
  },
  setPolicy: {
    name: 'Change a policy',
    title: '{name}?',
    button: 'Change the Rule',
    done: 'The rule is changed',
    text: 'From tomorrow:',
  },
  setPreset: {
    name: 'Change all policies',
    title: 'Set all rules to {name}?',
    button: 'Change All Rules',
    done: 'The rules are changed',
    text: 'This starts tomorrow. Orders placed before keep their rules.',
  },
  'order-cancel-by-operator': { name: 'Cancel an order' },
  'order-give-back': { name: 'Find another Scrub' },
  'order-reopen': { name: 'Clean an order again' },
  'delivery-take-off': { name: 'Take a Duber off' },
  'delivery-bring-back': { name: 'Have laundry brought back' },
  'delivery-brought-back': { name: 'Mark laundry as brought back' },
  'delivery-mark-delivered': { name: 'Mark a delivery as delivered' },
  'delivery-re-offer': { name: 'Offer a delivery again' },
  'delivery-relay': { name: 'Hand a delivery on' },
  'delivery-call-off': { name: 'Call a delivery off' },
  'delivery-correct': { name: 'Take a step back' },
  'delivery-report-lost': { name: 'Report laundry as lost' },
  showContact: { name: 'Show a contact' },
  showPlaces: {
    name: 'Show the places of an order',
    title: 'Show the places?',
    button: 'Show Places',
    done: 'You can see them for 15 minutes',
  },
  suspend: { name: 'Suspend' },
  reinstate: {
    name: 'Reinstate',
    title: 'Reinstate {name}?',
    done: '{name} is no longer suspended',
    variant: 'filled',
    text: 'What the suspension kept them from is allowed again. Other holds stay, and work that others have now does not come back.',
  },
  extendSuspension: {
    name: 'Keep a suspension longer',
    title: 'Keep {name} suspended longer?',
    label: 'Keep Longer…',
    button: 'Keep Longer',
    done: '{name} stays suspended',
    reasonLabel: READ_BY_THEM,
    fields: { until: { label: 'Until', kind: 'noon' } },
  },
  holdPerson: {
    name: 'Set a hold',
    title: 'Hold something of {name}?',
    label: 'Hold…',
    button: 'Set the Hold',
    done: 'The hold is set',
    reasonLabel: READ_BY_THEM,
    text: 'Open work goes on. It holds until it is lifted.',
    fields: { kind: { label: 'What', options: () => RESTRICTION_TEXTS } },
  },
  liftHold: {
    name: 'Lift a hold',
    title: 'Lift “{name}”?',
    label: 'Lift',
    button: 'Lift the Hold',
    done: 'The hold is lifted',
  },
  erasePerson: {
    name: 'Delete an account',
    title: 'Delete the account of {name}?',
    label: 'Delete Account…',
    button: 'Delete in 14 Days',
    done: 'The account of {name} is deleted in 14 days',
    reasonLabel: 'Their letter',
    text: 'Only where {name} has asked for it in writing. {name} gets an email, and can sign in and keep the account until then.',
    isDestructive: true,
  },
  signOutPerson: {
    name: 'Sign out everywhere',
    title: 'Sign {name} out everywhere?',
    button: 'Sign Out Everywhere',
    done: '{name} is signed out everywhere',
    reasonLabel: READ_BY_THEM,
    text: '{name} can sign in again.',
  },
  notePerson: {
    name: 'Note',
    title: 'Write a note',
    label: 'Note',
    button: 'Write It Down',
    done: 'The note is in the audit',
    reasonLabel: 'Note',
    text: 'Only operators read it.',
  },
  showDocuments: { name: 'Look at documents' },
  admitWorker: {
    name: 'Admit',
    title: 'Admit {name}?',
    done: '{name} gets work now',
    variant: 'filled',
  },
  askDocumentsAgain: { name: 'Ask for documents again' },
  refuseWorker: {
    name: 'Refuse a worker',
    title: 'Refuse {name}?',
    label: 'Refuse…',
    button: 'Refuse',
    done: '{name} is refused',
    isDestructive: true,
    reasonLabel: READ_BY_THEM,
    text: '{name} gets no work. The documents are erased after 30 days.',
  },
  reconsiderWorker: {
    name: 'Think again about a worker',
    title: 'Think again about {name}?',
    label: 'Think Again',
    button: 'Ask for Documents',
    done: '{name} can send documents again',
    text: '{name} can send documents again, and reads so in an email.',
  },
  prepareDispute: {
    name: 'Save the evidence',
    title: 'Save the evidence as it is now?',
    label: 'Save the Evidence…',
    button: 'Save It',
    done: 'The evidence is saved',
    variant: 'filled',
  },
  sendDispute: {
    name: 'Send the evidence to the bank',
    title: 'Send the evidence to the bank?',
    label: 'Send to the Bank…',
    button: 'Send to the Bank',
    done: 'On its way to the bank',
    variant: 'filled',
    text: 'It can be sent once. After that, the bank decides.',
  },
  acceptDispute: {
    name: 'Give up a chargeback',
    title: 'Give up this chargeback?',
    label: 'Give Up…',
    button: 'Give Up',
    done: 'The card holder keeps the money',
    isDestructive: true,
    fields: { liable: { label: 'Who pays for it', options: () => BEARER_TEXTS } },
  },
  setHours: { name: 'Change the hours' },
  setWindows: { name: 'Change the windows' },
  setPromiseCredit: { name: 'Change what a missed promise pays' },
  addClosure: {
    name: 'Close the town or a zone for a while',
    title: 'Close for a while',
    label: 'Close…',
    button: 'Add the Closure',
    done: 'The closure is added',
    text: 'Deliveries that are under way go on. Times are in {name}.',
    fields: {
      zone: WHERE,
      from: { label: 'From (now, if it is empty)', kind: 'local-time', description: ON_TOWN_CLOCKS },
      until: { label: 'Until', kind: 'local-time', description: ON_TOWN_CLOCKS },
      words: { label: 'What people read', kind: 'lines', placeholder: 'We are at the town fair.' },
      touched: TOUCHED,
    },
  },
  takeBackClosure: {
    name: 'Take a closure back',
    title: 'Take this closure back?',
    label: 'Take Back…',
    button: 'Take It Back',
    done: 'The closure is taken back',
    text: '“{name}”',
  },
  addZone: { name: 'Add a zone' },
  drawZone: {
    name: 'Draw or end a zone',
    title: 'End {name}?',
    label: 'End This Zone…',
    button: 'End This Zone',
    done: '{name} ends',
    isDestructive: true,
    text: 'The prices of the town hold there again. Orders keep the price they were placed at.',
    fields: {
      from: FROM_TOMORROW,
      touched: {
        label: 'What becomes of its orders with a window after that?',
        description: 'There is no other window to offer.',
        options: () => ({ '': 'Please choose', keep: TOUCHED_TEXTS.keep, cancel: TOUCHED_TEXTS.cancel }),
      },
    },
  },
  setZonePrices: { name: 'Change the prices of a zone' },
  addPromo: {
    name: 'Make a promo code',
    title: 'A promo code',
    label: 'Make a Code…',
    button: 'Make the Code',
    done: 'The code is made',
    size: 'lg',
    fields: {
      code: { label: 'Code' },
      kind: { label: 'Takes off', options: () => ({ amount: 'Dollars', percent: 'Percent' }) },
      value: { label: 'Dollars', kind: 'dollars' },
      maxDiscount: { label: 'At most, in dollars', kind: 'dollars' },
      minTotal: { label: 'For orders from, in dollars', kind: 'dollars' },
      maxUses: { label: 'Uses in all', kind: 'whole' },
      maxUsesPerBud: { label: 'Uses for each Bud', kind: 'whole' },
      from: { label: 'First day (now, if it is empty)' },
      until: { label: 'Last day' },
      firstOrderOnly: {
        label: 'First orders only',
        description: 'One for each account, phone and card that has not ordered before.',
      },
    },
  },
  endPromo: {
    name: 'End a promo code',
    title: 'End {name}?',
    label: 'End…',
    button: 'End the Code',
    done: '{name} has ended',
    isDestructive: true,
    text: 'It cannot be used any more. Orders that were placed with it keep what it took off.',
  },
};

const DECISION_LABELS: Readonly<Record<string, string>> = {
  ask: 'Asked for',
  join: 'Became an operator',
  comeBack: 'Has a new second factor',
  makeBackup: 'Made a backup',
  addPasskey: 'Added a passkey',
  removePasskey: 'Removed a passkey',
  refusePasskey: 'A passkey was refused',
  decline: 'Declined',
  withdraw: 'Withdrew',
  stop: 'Stopped',
  expire: 'Expired',
};

/** The name of an action of the audit. An action of a newer server is shown as it is. */
export const labelOfAct = (action: string): string =>
  (ACTS as Record<string, ActTexts>)[action]?.name ?? DECISION_LABELS[action] ?? action;
