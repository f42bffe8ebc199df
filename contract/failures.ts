import type { BodyNeed, ChoosingNeed, Need } from '../domain/needs.ts';

/** `proofNeeded` where laundry is handed over. The message in the table is for collecting it. */
export const PIN_NEEDED = 'Ask for their PIN, or let them press “I have … bags” on their own phone';
/** The same where a photo at the door came with its place, and the Bud does not allow that. */
export const DOOR_NOT_ALLOWED = `The Bud does not let you leave it at the door. ${PIN_NEEDED}`;

/** The same where the Bud allows it, and the photo came without its place. */
export const DOOR_WITHOUT_PLACE =
  'Your phone does not say where you are, which is needed to leave it at the door. Allow it, or ask for their PIN';

/** `laundryMoved` by where the laundry is. The message in the table is for laundry that is on its way. */
export const LAUNDRY_MOVED = {
  here: 'You have the laundry already',
  'at-scrub': 'The laundry is with the Scrub already',
  'with-duber': 'A Duber has the laundry, and waits for another one',
  lost: 'The laundry is reported as lost',
} as const;
/** `laundryNotOnBoard` where its Duber asks. */
export const NOT_WITH_YOU = 'You do not have this laundry';
/** `alreadyAccepted` where nobody can accept it any more. */
export const DELIVERY_CALLED_OFF = 'This delivery was called off';
/** The same where the caller had accepted it. */
export const ACCEPTED_BY_YOU = 'You have accepted this delivery before';
/** `tooEarlyToReview` and `orderNotCompleted` of an order that will never be completed. */
export const ENDED_UNDONE = 'This order ended before it was done. Email us if something is wrong';
/** `notDeliveredYet` of laundry that will never be. */
export const ALL_IS_MISSING = 'The laundry is lost. Report what was in it as missing';

/** Every failure of a call: its status and its message. `invalid` answers with a list of properties instead. */
export const FAILURES = {
  invalid: [400, 'The request is not valid'],
  notJson: [400, 'The body is not valid JSON'],
  notAPhoto: [400, 'This is not a photo, or it is damaged. Please choose another one'],
  tooManyPixels: [400, 'This photo has more than 25 megapixels. Please choose a smaller one'],
  photoTooSlow: [400, 'This photo takes too long to open. Please take it again, or choose another one'],
  unauthenticated: [401, 'User not authenticated'],
  wrongPassword: [401, 'Invalid email or password'],
  codeNeeded: [401, 'Enter the code of your authenticator app'],
  codeOrPasskeyNeeded: [401, 'Enter the code of your authenticator app, or use a passkey'],
  wrongCode: [401, 'This code is wrong, or was used before. Wait for the next one'],
  wrongPasskey: [401, 'The passkey was not accepted. Please try again'],
  staleResetToken: [401, 'Invalid or expired reset token'],
  cardDeclined: [402, 'The card was declined'],
  badSignature: [403, 'The signature is wrong'],
  notMeant: [403, 'Confirm this action in the app'],
  wrongRole: [403, 'This is not for your role'],
  noRight: [403, 'You may not do this. Ask an operator who can give you the right'],
  codeTooOld: [403, 'Enter a new code of your authenticator app first'],
  signInHeld: [403, 'You cannot sign in now'],
  fileNotOpened: [403, 'Say why you open this file first'],
  contactHidden: [403, 'Say first why you need the contact'],
  documentsHidden: [403, 'Say first why you look at the documents'],
  notYourOwn: [403, 'Another operator must decide about what you have asked for'],
  notFound: [404, 'Not found'],
  badInvitation: [404, 'This invitation was used, or has expired. Ask for a new one'],
  badUnsubscribeLink: [404, 'This link is not one of ours'],
  notAllowedMethod: [405, 'This method is not allowed here'],
  emailTaken: [409, 'Email is already registered'],
  newWorkHeld: [409, 'You cannot take on anything new now. Our email to you says why, and how to answer'],
  scrubUnavailable: [409, 'This scrub is no longer available'],
  townPaused: [409, 'No new orders are taken now'],
  wrongStatus: [409, 'The current status does not allow this'],
  alreadyAccepted: [409, 'This delivery has already been accepted'],
  letOthersFirst: [409, 'You had this delivery before. Others come first for 30 minutes'],
  alreadyBusy: [409, 'You already have an active delivery'],
  tooManyAhead: [409, 'You have accepted too many deliveries ahead, or too many for this time'],
  photoNeeded: [409, 'Take a photo first'],
  notAtThePlace: [409, 'You are more than 300 m away. If you are there, take a photo of the door'],
  notArrived: [409, 'Say that you have arrived first'],
  stillWaiting: [409, 'Wait 5 minutes at the door first'],
  laundryNotOnBoard: [409, 'The Duber does not have the laundry'],
  laundryOnBoard: [409, 'The Duber still has the laundry'],
  youHaveIt: [409, 'You have this laundry. Collect it and go on, or say that you cannot do this delivery'],
  laundryLost: [409, 'The laundry is reported as lost'],
  notSameDay: [409, 'This is possible on the same day only'],
  undoOver: [409, 'This can no longer be taken back. Ask the town to correct it'],
  takerHasIt: [409, 'The one who took the laundry has confirmed it. Ask the town to correct it'],
  alreadyReOffered: [409, 'It was offered again before. Ask the town to offer it once more'],
  laundryMoved: [409, 'The laundry is on its way already'],
  laundryNotHere: [409, 'The laundry has not arrived yet'],
  notGivenBack: [409, 'This order has a Scrub'],
  alreadyGivenBack: [409, 'This order waits for its Bud to choose another Scrub already'],
  costsMore: [409, 'Cancelling costs more by now. Look at the new amount first'],
  refundedSince: [409, 'Money was given back since you looked. Look at what is left again'],
  deliveriesOpen: [409, 'Its deliveries have not ended yet'],
  orderClosed: [409, 'This order is closed'],
  proofNeeded: [409, 'This needs a proof: the codes of the bags, their number or a photo'],
  wrongPin: [409, 'This is not the PIN, or it was used already. Ask for the one that is shown now'],
  pinBlocked: [
    409,
    'The PIN was wrong five times. Take a photo of the laundry at their door, with the place of your phone, or let them press “I have … bags” on their own phone',
  ],
  wrongBag: [409, 'This bag does not belong to the order'],
  nothingHandedOver: [409, 'Nobody is handing laundry to you now'],
  orderNotCompleted: [409, 'You can report a problem once the order is completed'],
  notDeliveredYet: [409, 'You can report a problem once the laundry is delivered'],
  claimOver: [409, 'Problems are reported within 48 hours after the delivery, and missing things within 7 days'],
  caseIsOpen: [409, 'You have already reported this. Your report is still open'],
  notYoursToContest: [409, 'Only the side that bears the decision can contest it'],
  alreadyContested: [409, 'The decision was contested before. The town has decided again'],
  contestOver: [409, 'A decision can be contested for 7 days'],
  notWeighed: [409, 'This order is not weighed'],
  alreadyWeighed: [409, 'This laundry was weighed before'],
  weighFirst: [409, 'Weigh the laundry first'],
  waitsForBud: [409, 'The Bud is asked what to do, because the laundry is heavier. Wait for the answer'],
  nothingAsked: [409, 'There is no question to answer, or it was answered before'],
  notSplit: [409, 'The Scrub did not offer to wash a part of it'],
  sizeNotSold: [409, 'This is heavier than every size that is sold here'],
  priceChanged: [409, 'The price has changed. Look at the new one first'],
  promoUnknown: [409, 'There is no such code. Please check it'],
  promoOver: [409, 'This code is over'],
  promoUsedUp: [409, 'This code is used up'],
  promoUsedByYou: [409, 'You have used this code before'],
  promoFirstOrder: [409, 'This code is for a first order'],
  promoTotalTooLow: [409, 'This code is for larger orders'],
  notChargedMore: [409, 'Nothing was charged without asking'],
  weightContested: [409, 'You have said before that this weight is wrong'],
  contestWeightOver: [409, 'A weight can be contested for 24 hours'],
  alreadyReviewed: [409, 'You have already reviewed this'],
  tooEarlyToReview: [409, 'It is too early to review this'],
  tooManyAddresses: [409, 'You have 20 addresses, which is the maximum. To add another, delete one you no longer use.'],
  addressInUse: [409, 'An open order uses this address. You can delete it once the order is finished.'],
  lastAddress: [409, 'This is your only address. Add another one before you delete it.'],
  somethingOpen: [409, 'Something of yours is still open'],
  noExport: [409, 'There is no copy of your data to download now'],
  exportKnown: [409, 'You have asked for a copy of your data this week. You can ask again a week later'],
  documentsNotAsked: [409, 'Nobody is asked for documents here now'],
  documentsChanged: [409, 'The documents have changed. Look at them again'],
  workChanged: [409, 'The open work of this person has changed. Look at it again'],
  waitsForApproval: [409, 'This waits for another operator already'],
  notWaiting: [409, 'This no longer waits for a decision'],
  writtenToday: [409, 'These people were written to today. Wait until tomorrow, or mark it as urgent'],
  noPasskey: [409, 'You have no passkey for this address. Use the code of your authenticator app'],
  passkeyKnown: [409, 'This passkey was added before'],
  tooManyPasskeys: [409, 'You have 10 passkeys, which is the maximum. Remove one that you no longer use'],
  passkeysUnavailable: [409, 'Passkeys work over https, at a name. Set PUBLIC_URL to the address of the town'],
  keyReused: [409, 'This Idempotency-Key was used with another body'],
  lengthNeeded: [411, 'Say how large the photo is: send Content-Length'],
  tooLarge: [413, 'The body is larger than 64 KB'],
  photoTooLarge: [413, 'The photo is larger than 6 MB'],
  notPhotoType: [415, 'The body must be a photo: send Content-Type: image/jpeg, image/png or image/webp'],
  notJsonType: [415, 'The body must be JSON: send Content-Type: application/json'],
  tooMany: [429, 'Too many requests. Please wait a moment and try again'],
  tooManyDeclines: [429, 'Too many declined cards. Please wait a moment, or use another card'],
  tooManyOrders: [429, 'You have placed many orders that no Scrub has accepted. Please wait a moment and try again'],
  tooManyCases: [429, 'You have reported many problems that are still open. Please wait for an answer'],
  tooManyCodes: [429, 'You have tried many codes that do not exist. Please wait a while and try again'],
  tooManyPhotos: [429, 'You have sent many photos. Please wait a while and try again'],
  photoUnderWay: [429, 'Another photo of yours is still being sent. Please wait a moment'],
  tooManyDocuments: [429, 'You have sent many documents today. Please try again tomorrow'],
  cardNetworkAway: [503, 'The card network is not responding. You will not be charged twice. Please try again'],
  keyMissing: [503, 'Secrets were encrypted with another key. Set SEALING_KEY to the one of the other servers'],
  notReady: [503, 'The service is not ready. Please try again in a moment'],
  broken: [500, 'Something went wrong'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type Failure = keyof typeof FAILURES;

/** The failure of each need that is neither a rule of the body nor a choice between rows. */
export const NEED_FAILURES = {
  'known-act': 'wrongStatus',
  'signed-in': 'unauthenticated',
  right: 'noRight',
  'not-the-asker': 'notYourOwn',
  'not-about-them': 'notYourOwn',
  'fresh-code': 'codeTooOld',
  'the-asker': 'notFound',
  'asker-may-still': 'wrongStatus',
  'stop-mailed': 'wrongStatus',
  'one-operator': 'wrongStatus',
  'documents-asked': 'documentsNotAsked',
  'documents-required': 'wrongStatus',
  'some-needed': 'wrongStatus',
  'nothing-missing': 'wrongStatus',
  'something-missing': 'wrongStatus',
  'all-accepted': 'wrongStatus',
  'not-all-accepted': 'wrongStatus',
  'some-wait': 'wrongStatus',
  'all-seen': 'documentsChanged',
  'seen-in-time': 'documentsHidden',
  'none-expired': 'wrongStatus',
  'all-wait': 'documentsChanged',
  'end-reached': 'wrongStatus',
  'warning-due': 'wrongStatus',
  'end-not-reached': 'wrongStatus',
  'latest-warning': 'wrongStatus',
  'not-imposed-by-them': 'notYourOwn',
  own: 'wrongStatus',
  'left-others-first': 'letOthersFirst',
  'not-busy': 'alreadyBusy',
  'room-ahead': 'tooManyAhead',
  'no-restriction': 'newWorkHeld',
  proven: 'proofNeeded',
  'not-said-before': 'wrongStatus',
  'silence-counts': 'wrongStatus',
  'no-sign': 'wrongStatus',
  photo: 'photoNeeded',
  'at-the-place': 'notAtThePlace',
  arrived: 'notArrived',
  waited: 'stillWaiting',
  'laundry-on-board': 'laundryNotOnBoard',
  'laundry-not-on-board': 'laundryOnBoard',
  'not-lost': 'laundryLost',
  lost: 'laundryOnBoard',
  'not-relayed': 'laundryOnBoard',
  'not-carried-by-them': 'youHaveIt',
  'same-day': 'notSameDay',
  'not-confirmed': 'takerHasIt',
  'not-taken': 'takerHasIt',
  'can-be-undone': 'undoOver',
  'first-re-offer': 'alreadyReOffered',
  'no-bag-moved': 'laundryMoved',
  'no-bag-here': 'laundryMoved',
  'laundry-here': 'laundryNotHere',
  'laundry-seen': 'laundryNotHere',
  'laundry-in-hand': 'laundryNotHere',
  'still-theirs': 'wrongStatus',
  'given-back': 'notGivenBack',
  'not-given-back': 'alreadyGivenBack',
  'scrub-known': 'notFound',
  'scrub-available': 'scrubUnavailable',
  'fee-as-shown': 'costsMore',
  'not-with-a-duber': 'laundryOnBoard',
  'deliveries-ended': 'deliveriesOpen',
  'not-closed': 'orderClosed',
  'is-weighed': 'notWeighed',
  'accepted-once': 'wrongStatus',
  'not-weighed-yet': 'alreadyWeighed',
  weighed: 'weighFirst',
  'correction-answered': 'waitsForBud',
  asked: 'nothingAsked',
  splits: 'notSplit',
  sold: 'sizeNotSold',
  'price-as-shown': 'priceChanged',
  'charged-more': 'notChargedMore',
  'first-day': 'contestWeightOver',
  'first-contest': 'weightContested',
  'their-turn': 'wrongStatus',
  'decision-possible': 'wrongStatus',
  undecided: 'wrongStatus',
  'said-by-duber': 'wrongStatus',
  'not-denied': 'wrongStatus',
  'not-contested': 'alreadyContested',
  'first-week': 'contestOver',
  'bears-it': 'notYoursToContest',
  'none-open': 'caseIsOpen',
  'refunds-done': 'wrongStatus',
  'contest-over': 'wrongStatus',
  'collected-since': 'caseIsOpen',
  'no-call': 'wrongStatus',
  'no-open-order': 'somethingOpen',
  'no-open-delivery': 'somethingOpen',
  'no-open-case': 'somethingOpen',
  'no-open-payment': 'somethingOpen',
  'no-balance': 'somethingOpen',
  'no-suspension': 'somethingOpen',
} as const satisfies Record<Exclude<Need, BodyNeed | ChoosingNeed>, Failure>;

/** The failure of a missing need; undefined for those without one. */
export const failureOfNeed = (need: Need): Failure | undefined =>
  (NEED_FAILURES as Readonly<Partial<Record<Need, Failure>>>)[need];

/** An invalid property of a request: the first rule that it breaks, with its message. */
export type ValidationError = { readonly property: string; readonly constraints: Readonly<Record<string, string>> };

/** The body of every error. */
export type ErrorBody = {
  readonly statusCode: number;
  readonly error: string;
  readonly message: string | ValidationError[];
  /** Which failure it is. Missing in answers to what is not HTTP. */
  readonly code?: Failure;
};

const STATUS_WORDS: Record<(typeof FAILURES)[Failure][0], string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  411: 'Length Required',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

export function errorBody(code: Failure, message: ErrorBody['message'] = FAILURES[code][1]): ErrorBody {
  const [statusCode] = FAILURES[code];
  return { statusCode, error: STATUS_WORDS[statusCode], message, code };
}
