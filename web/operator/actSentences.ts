import type { ActName } from '../../contract/operator/api.ts';
import type { DocumentKind } from '../../domain/admissions.ts';
import type { Audience } from '../../domain/broadcasts.ts';
import { describeDay, formatClock, type Hours, WEEKDAYS } from '../../domain/hours.ts';
import type { LiableParty } from '../../domain/ledger.ts';
import type { TouchedChoice } from '../../domain/moves.ts';
import type { Permission } from '../../domain/operators.ts';
import type { WayHome, WayHomePayer } from '../../domain/orders.ts';
import { PRICE_ITEMS, type PriceItem } from '../../domain/payments.ts';
import type { PolicyName, Preset } from '../../domain/policies.ts';
import type { RestrictionKind, WorkChoice } from '../../domain/restrictions.ts';
import { type OtherService, SERVICE_NAMES } from '../../domain/services.ts';
import type { SetUpSection } from '../../domain/setUp.ts';
import { townReasonText } from '../../texts/reasons.ts';
import { KIND_TEXTS } from '../documents/documentTexts.ts';
import { formatDay, formatMoney } from '../ui/format.ts';
import { describeCorners, isCorners } from './cornerTexts.ts';
import { BEARER_TEXTS } from './disputeTexts.ts';
import { AUDIENCE_TEXTS, peopleText } from './messageTexts.ts';
import { CHOICE_TEXTS, RESTRICTION_TEXTS } from './peopleTexts.ts';
import { PERMISSION_TEXTS } from './permissionTexts.ts';
import { arrowText, POLICY_TITLES, PRESET_LABELS, priceChangeText } from './priceTexts.ts';
import { describeTerms } from './promoTexts.ts';
import { SECTION_TITLES } from './setUpTexts.ts';
import { PAYER_TEXTS, WAY_TEXTS } from './WayHomeSelect.tsx';
import { describeCredit, describePlan } from './windowTexts.ts';

/** The change by an act, made or asked for: its subject, the request, and the state before. */
export type Change = {
  readonly action: string;
  /** The act that an approval is about. */
  readonly act?: string | undefined;
  readonly subjectId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
};

/** How the town writes times and days. */
export type TownFormat = { readonly time: (iso: string) => string; readonly day: (iso: string) => string };

// biome-ignore lint/suspicious/noExplicitAny: the details of an act are those of its call, and of what it has changed
type Details = Readonly<Record<string, any>>;
type Sentence = (details: Details, format: TownFormat, subjectId: string | null) => string;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** From when a change holds: a day that was asked for, or the time at which that day begins. */
function fromText(from: string | undefined | null, { day }: TownFormat): string {
  if (!from) return ' from the day after the approval';
  return ` from ${DAY.test(from) ? formatDay(from) : day(from)}`;
}

const dollars = (amount: number | null | undefined) => (typeof amount === 'number' ? formatMoney(amount) : 'nothing');
const rightsText = (caps: readonly Permission[] = []) =>
  caps.map((permission) => PERMISSION_TEXTS[permission].name).join(', ') || 'none';
const payerText = (liable: LiableParty) => `the ${liable === 'platform' ? liable : BEARER_TEXTS[liable].slice(4)}`;
const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
const kindsText = (kinds: readonly DocumentKind[] | undefined) => kinds?.map((kind) => KIND_TEXTS[kind]).join(', ');
const readText = (words: string | null | undefined) => (words ? ` People read: “${words}”` : '');
const TOUCHED_TEXTS: Readonly<Record<TouchedChoice, string>> = {
  offer: 'are offered the next one',
  keep: 'are kept',
  cancel: 'are cancelled, or offered the next one',
};
const inText = (zone: string | null | undefined) => (zone ? ` in ${zone}` : '');
const touchedText = (touched: TouchedChoice | null | undefined) =>
  touched ? ` Orders with a window then ${TOUCHED_TEXTS[touched]}.` : '';
/** '25 Dec 2030 12:00 am' for 2030-12-25T00:00, as forms write it. */
const localText = (local: string) => `${formatDay(local.slice(0, 10))} ${formatClock(local.slice(11, 16))}`;
const isItem = (id: string | null): id is PriceItem => PRICE_ITEMS.some((item) => item === id);

/** A step of an order or a delivery: why, what becomes of the laundry, and what the people of the order read. */
const stepSentence: Sentence = ({ why, words, wayHome, waysPaidBy }) =>
  [
    `${townReasonText(why)}.`,
    wayHome && `${WAY_TEXTS[wayHome as WayHome]}.`,
    waysPaidBy && `Dubers are paid by: ${lower(PAYER_TEXTS[waysPaidBy as WayHomePayer])}.`,
  ]
    .filter(Boolean)
    .join(' ') + readText(words);

const LIMITS = {
  refundLimitOrder: 'refunds of one order without approval',
  refundLimitDay: 'refunds of one day without approval',
  platformPayWeek: 'paid by the platform to one Duber in seven days',
} as const;

function limitsSentence(details: Details): string {
  const before: Details = details.before ?? {};
  return Object.entries(LIMITS)
    .filter(([name]) => details[name] !== undefined)
    .map(([name, text]) => {
      const old = before[name] === undefined ? undefined : dollars(before[name]);
      return `${arrowText(old, dollars(details[name]))} ${text}`;
    })
    .join(', ');
}

const IDENTITY = {
  name: 'Name',
  color: 'Colour',
  legalName: 'Legal name',
  address: 'Address',
  taxNumber: 'Tax number',
  supportEmail: 'Support email',
  phone: 'Phone',
} as const;

/** What changes in who the town is. */
function identitySentence(details: Details): string {
  const before: Details = details.before ?? {};
  return (
    Object.entries(IDENTITY)
      .map(([name, text]) => [text, before[name] ?? null, details[name] ?? null] as const)
      .filter(([, old, now]) => old !== now)
      .map(([text, old, now]) => `${text}: ${arrowText(old ?? undefined, now ?? 'none')}`)
      .join('. ') || 'Nothing changes'
  );
}

/** The days of the week that change. */
function hoursSentence({ before = [], hours = [] }: { before?: Hours; hours?: Hours }): string {
  return (
    WEEKDAYS.map((weekday) => [weekday, describeDay(weekday, before), describeDay(weekday, hours)] as const)
      .filter(([, old, now]) => old !== now)
      .map(([weekday, old, now]) => `${weekday}: ${arrowText(lower(old), lower(now))}`)
      .join('. ') || 'The hours stay as they are'
  );
}

function decisionSentence({ items = [], words }: Details): string {
  const given = (items as { n: number; amount: number; liable: LiableParty }[]).map(({ n, amount, liable }) =>
    amount === 0 ? `Item ${n}: nothing` : `Item ${n}: ${dollars(amount)}, paid by ${payerText(liable)}`,
  );
  return `${given.join('. ') || 'Nothing is given back'}.${readText(words)}`;
}

function suspensionSentence({ until, signIn, work = [], words }: Details, { time }: TownFormat): string {
  const decided = (work as string[]).map((one) => {
    const [order, choice] = one.split(': ');
    return `${order}: ${lower(CHOICE_TEXTS[choice as WorkChoice] ?? choice ?? '')}`;
  });
  return (
    [
      `No new work and no payouts${until ? ` until ${time(until)}` : ''}${signIn ? ', and no signing in' : ''}.`,
      ...decided.map((one) => `${one}.`),
    ].join(' ') + readText(words)
  );
}

const ownPricesText = (prices: readonly { item: PriceItem; value: number }[] = []) =>
  prices.map(({ item, value }) => priceChangeText(item, undefined, value)).join(', ');

const zonePricesSentence: Sentence = ({ zone, prices, from }, format) =>
  `${zone ? `${zone}: ` : ''}${ownPricesText(prices) || 'the prices of the town'}${fromText(from, format)}`;

/** The sections that were answered, and what has changed in them. */
const setUpSentence: Sentence = (details, format) => {
  const { answered = [], isDone, timeZone, timeZoneBefore, policies = [], policiesBefore = {}, prices = [] } = details;
  const pricesBefore: Details = details.pricesBefore ?? {};
  const label = (preset: Preset | undefined) => preset && PRESET_LABELS[preset];
  const changed = [
    timeZone && timeZone !== timeZoneBefore && arrowText(timeZoneBefore, timeZone).replaceAll('_', ' '),
    ...(policies as { name: PolicyName; value: Preset }[])
      .filter(({ name, value }) => value !== policiesBefore[name])
      .map(
        ({ name, value }) => `${POLICY_TITLES[name]}: ${arrowText(label(policiesBefore[name]), PRESET_LABELS[value])}`,
      ),
    ...(prices as { item: PriceItem; value: number }[])
      .filter(({ item, value }) => value !== (pricesBefore[item] ?? (details.pricesBefore ? 0 : undefined)))
      .map(({ item, value }) => priceChangeText(item, pricesBefore[item] ?? undefined, value)),
  ].filter(Boolean);
  const titles = (answered as SetUpSection[]).map((section) => SECTION_TITLES[section]).join(', ');
  return [
    titles ? `Answered: ${titles}.` : 'The set-up.',
    changed.length > 0 && `${changed.join('. ')}${details.from ? fromText(details.from, format) : ''}.`,
    isDone && 'The town is open.',
  ]
    .filter(Boolean)
    .join(' ');
};

const promoSentence: Sentence = ({
  code,
  kind,
  value,
  maxDiscount,
  minTotal,
  firstOrderOnly,
  maxUses,
  maxUsesPerBud,
}) =>
  `Code ${code}: ${describeTerms({
    ...{ kind, value, maxDiscount: maxDiscount ?? null, minTotal: minTotal ?? 0 },
    ...{ firstOrderOnly: firstOrderOnly ?? false, maxUses: maxUses ?? null, maxUsesPerBud: maxUsesPerBud ?? null },
  })}`;

/** What each act changes, in one sentence: for its row in the audit, and for its approval. */
const SENTENCES: Readonly<Record<ActName, Sentence>> = {
  pauseTown: ({ until, words, touched, zone }, { time }) =>
    `No new orders${inText(zone)} until ${time(until)}.${readText(words)}${touchedText(touched)}`,
  openTown: ({ zone }) => `New orders are taken again${inText(zone)}`,
  setLimits: limitsSentence,
  setServices: ({ services = [] }) =>
    services.length === 0
      ? 'Only wash and fold is offered'
      : `Besides wash and fold: ${services.map((service: OtherService) => lower(SERVICE_NAMES[service])).join(', ')}`,
  setTimeZone: ({ timeZone, before }) => `Days and weeks begin in ${arrowText(before, timeZone)}`.replaceAll('_', ' '),
  setUpTown: setUpSentence,
  setIdentity: identitySentence,
  setLogo: ({ photo }) => (photo === null ? 'The town has no logo' : 'The town has a new logo'),
  inviteOperator: ({ email, caps }) => `${email} becomes an operator with the rights ${rightsText(caps)}`,
  changeRights: ({ fullname, before, caps }) =>
    `Rights${fullname ? ` of ${fullname}` : ''}: ${arrowText(before && rightsText(before), rightsText(caps))}`,
  resetFactor: ({ fullname = 'The operator' }) => `${fullname} gets a new password and a new second factor`,
  endOperator: ({ fullname = 'The operator', withdrawn }) =>
    `${fullname} is no longer an operator${withdrawn ? `. Requests taken back: ${withdrawn}` : ''}`,
  refundOrder: ({ amount, liable, isEverything }) =>
    `${dollars(amount)} back to the card, paid by ${payerText(liable)}${isEverything ? '. Nothing is left to give back' : ''}`,
  adjustOrder: ({ lines = [] }) =>
    lines.length === 0
      ? 'The ledger of the order is corrected'
      : `The ledger of the order is corrected in ${lines.length} lines`,
  retryProblem: () => 'The payment is tried again',
  askForCard: ({ order, amount }) =>
    `The Bud is asked for another card${order ? ` for ${order}, ${dollars(amount)}` : ''}`,
  dropRefund: ({ order, amount }) =>
    `A refund${amount ? ` of ${dollars(amount)}` : ''}${order ? ` of ${order}` : ''} is given up`,
  recheckDay: ({ day }) => `${day ? formatDay(day) : 'The day'} is compared with the card network again`,
  runPayouts: ({ people, amount }) =>
    people === undefined
      ? 'The payouts that are due are made'
      : `Payouts of ${dollars(amount)} to ${peopleText(people)}`,
  sendPayouts: ({ people, amount }) =>
    `Payouts of ${dollars(amount)}${people === undefined ? '' : ` to ${peopleText(people)}`} are sent`,
  returnPayout: ({ fullname }) => `The payout${fullname ? ` to ${fullname}` : ''} was returned by the bank`,
  setUsBank: ({ bankName, routingNumber, companyName, companyId }) =>
    `Payouts are sent from ${bankName}, routing number ${routingNumber}, in the name of ${companyName} (${companyId})`,
  setIban: ({ name, iban }) => `Payouts are sent from ${iban} of ${name}`,
  openPayoutFile: ({ batch, format }) =>
    `The payout file${batch ? ` ${batch}` : ''}${format ? ` for the bank (${String(format).toUpperCase()})` : ''}`,
  exportTaxWorkers: ({ year }) => `What each worker was paid in ${year}, with tax numbers`,
  revokeInvitation: ({ email }) => `The invitation of ${email} is taken back`,
  decideCase: decisionSentence,
  closeCase: ({ takesBackTrip, words }) =>
    `Closed without a decision.${takesBackTrip ? ' The trip of the Duber is not paid.' : ''}${readText(words)}`,
  sendBroadcast: ({ to, title, words, people, isUrgent }) =>
    `“${title}” to ${lower(AUDIENCE_TEXTS[to as Audience])}${people === undefined ? '' : ` (${peopleText(people)})`}${isUrgent ? ', urgent' : ''}.${readText(words)}`,
  resendMessages: ({ messages, ids }) => {
    const count = messages ?? ids?.length;
    if (count === undefined) return 'All messages that were given up are sent again';
    return count === 1 ? '1 message is sent again' : `${count} messages are sent again`;
  },
  setPrice: ({ before, value, from }, format, item) =>
    (isItem(item) ? priceChangeText(item, before ?? undefined, value) : arrowText(before, String(value))) +
    fromText(from, format),
  setPolicy: ({ before, value, from }, format, name) => {
    const label = (preset: Preset) => PRESET_LABELS[preset];
    return `${POLICY_TITLES[name as PolicyName] ?? name}: ${arrowText(before && label(before), label(value))}${fromText(from, format)}`;
  },
  setPreset: ({ preset, from }, format) => `All rules: ${PRESET_LABELS[preset as Preset]}${fromText(from, format)}`,
  showPlaces: () => 'The exact places are shown for 15 minutes',
  'order-cancel-by-operator': stepSentence,
  'order-give-back': stepSentence,
  'order-reopen': stepSentence,
  'delivery-take-off': stepSentence,
  'delivery-bring-back': stepSentence,
  'delivery-brought-back': stepSentence,
  'delivery-mark-delivered': stepSentence,
  'delivery-re-offer': stepSentence,
  'delivery-relay': stepSentence,
  'delivery-call-off': stepSentence,
  'delivery-correct': stepSentence,
  'delivery-report-lost': stepSentence,
  showContact: ({ fullname }) => `The contact${fullname ? ` of ${fullname}` : ''} is shown for 15 minutes`,
  suspend: suspensionSentence,
  reinstate: ({ fullname, suspendedBy }) =>
    `The suspension${fullname ? ` of ${fullname}` : ''}${suspendedBy ? ` by ${suspendedBy}` : ''} ends`,
  extendSuspension: ({ before, until }, { time }) =>
    `Suspended until ${arrowText(before && time(before), time(until))}`,
  holdPerson: ({ fullname, kind }) =>
    `${fullname ? `${fullname}: ` : ''}${lower(RESTRICTION_TEXTS[kind as RestrictionKind])}, until the hold is lifted`,
  liftHold: ({ fullname, kind }) =>
    `${fullname ? `${fullname}: ` : ''}the hold “${RESTRICTION_TEXTS[kind as RestrictionKind]}” is lifted`,
  erasePerson: ({ until }, { time }) =>
    `The account is deleted${until ? ` on ${time(until)}` : ' in 14 days'}, unless its owner keeps it`,
  signOutPerson: ({ fullname = 'The person' }) => `${fullname} is signed out everywhere`,
  notePerson: ({ fullname }) => `A note${fullname ? ` about ${fullname}` : ''}`,
  showDocuments: ({ fullname }) => `The documents${fullname ? ` of ${fullname}` : ''} are shown for 15 minutes`,
  admitWorker: ({ fullname, accepted }) =>
    `${fullname ?? 'The worker'} is admitted${accepted ? `. Accepted: ${kindsText(accepted)}` : ''}`,
  askDocumentsAgain: ({ fullname = 'The worker', kinds, documents = [] }) => {
    const whys = (documents as { why: string }[]).map(({ why }) => `“${why}”`);
    return `${fullname} is asked again for ${kindsText(kinds) ?? 'documents'}: ${whys.join(', ')}`;
  },
  refuseWorker: ({ fullname = 'The worker' }) => `${fullname} is refused`,
  reconsiderWorker: ({ fullname = 'The worker' }) => `${fullname} can send documents again`,
  prepareDispute: ({ pieces }) =>
    `The evidence is saved${pieces ? `: ${Array.isArray(pieces) ? pieces.length : pieces} pieces` : ''}`,
  sendDispute: () => 'The evidence goes to the bank',
  acceptDispute: ({ liable }) => `The chargeback is given up, paid by ${payerText(liable)}`,
  setHours: hoursSentence,
  setWindows: ({ plan }) => describePlan(plan ?? null),
  setPromiseCredit: ({ credit, before }) =>
    arrowText(before === undefined ? undefined : describeCredit(before), describeCredit(credit)),
  addClosure: ({ from, fromAt, until, untilAt, words, touched, zone }, { time }) => {
    const start = fromAt ? time(fromAt) : from ? localText(from) : 'now';
    return `${zone ? `${zone} is closed` : 'Closed'} from ${start} to ${untilAt ? time(untilAt) : localText(until)}.${readText(words)}${touchedText(touched)}`;
  },
  takeBackClosure: ({ fromAt, untilAt, words, zone }, { time }) =>
    fromAt
      ? `The closure${zone ? ` of ${zone}` : ''} from ${time(fromAt)} to ${time(untilAt)} is taken back: “${words}”`
      : 'A closure is taken back',
  addZone: ({ name, corners, prices, from }, format) =>
    `Zone ${name}, ${isCorners(corners) ? describeCorners(corners) : 'not drawn yet'}${fromText(from, format)}${prices?.length ? `. Its prices: ${ownPricesText(prices)}` : ''}`,
  drawZone: ({ zone, corners, from, touched }, format) =>
    `${zone ? `Zone ${zone}` : 'The zone'} ${isCorners(corners) ? `is drawn with ${describeCorners(corners)},` : 'ends'}${fromText(from, format)}${touched ? `.${touchedText(touched)}` : ''}`,
  setZonePrices: zonePricesSentence,
  addPromo: promoSentence,
  endPromo: ({ code, uses }) =>
    `${code ? `Code ${code}` : 'The code'} ends${uses === undefined ? '' : ` after ${uses} uses`}`,
};

/** What is in the audit besides acts and decisions about approvals. */
const EVENT_SENTENCES: Readonly<Record<string, Sentence>> = {
  join: ({ caps }) => `Joined with the rights ${rightsText(caps)}`,
  comeBack: () => 'Has a new password and a new second factor',
  addPasskey: ({ name }) => `Passkey “${name}” is added`,
  removePasskey: ({ name }) => `Passkey “${name}” is removed`,
  refusePasskey: ({ name }) => `Passkey “${name}” was refused`,
};

/** A change in one sentence; undefined for an action of a newer server. */
export function describeChange({ action, act, subjectId, details }: Change, format: TownFormat): string | undefined {
  // A decision about an approval keeps only who had asked for it.
  if (typeof details.askedBy === 'string') return `${details.askedBy} had asked for it`;
  const sentences: Readonly<Record<string, Sentence | undefined>> = { ...SENTENCES, ...EVENT_SENTENCES };
  return sentences[action === 'ask' ? (act ?? action) : action]?.(details, format, subjectId);
}
