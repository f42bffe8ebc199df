import type { TownCaseDetails, TownCaseEvent } from '../../../contract/operator/cases.ts';
import type { CaseStatus, Offer } from '../../../domain/cases.ts';
import type { LiableParty } from '../../../domain/ledger.ts';
import type { Point } from '../../../domain/places.ts';
import { amountOf, happenedTextOf, OFFER_TEXTS } from '../../cases/caseTexts.ts';
import { locationText } from '../../places/locationText.ts';
import { TOWN_NAME } from '../../town.ts';
import { formatMoney } from '../../ui/formatMoney.ts';

/** Whom a case waits for, as operators say it. */
export const TOWN_STATUS_LABELS: Readonly<Record<CaseStatus, string>> = {
  'with-scrub': 'Waits for the Scrub',
  'with-duber': 'Waits for the Duber',
  'with-bud': 'Waits for the Bud',
  'with-town': 'Waits for us',
  decided: 'Decided',
  closed: 'Closed',
};

const ACTION_TEXTS: Readonly<Record<string, string>> = {
  'open-claim': 'reported it',
  ask: 'asked',
  open: `${TOWN_NAME} found it`,
  answer: 'answered',
  'accept-offer': 'accepted the offer',
  'refuse-offer': 'asked us to decide',
  'no-answer': 'No answer within 24 hours: we decide',
  'silent-bud': 'No answer within 72 hours: the offer happens',
  'taken-back': 'The step was taken back: nothing is open any more',
  stale: 'It has waited for 48 hours, and is urgent now',
  decide: 'decided',
  contest: 'contested the decision',
  deny: 'said that it was not so: what the Duber is paid waits for us',
  confirmed: 'Whoever gets the laundry says that they have it',
  close: 'closed it',
};

/** What an event of a case records, in a sentence with the name of who did it. */
export function townEventText(event: TownCaseEvent): string {
  const { action, by, name, offer } = event;
  const usual = by === 'System' && action === 'close' ? 'Closed by itself' : (ACTION_TEXTS[action] ?? action);
  const text = happenedTextOf(event) ?? usual;
  const role = by === 'Operator' ? '' : ` (${by})`;
  const start = by === 'System' ? text : `${name ?? `The ${by}`}${name === null ? '' : role} ${text}`;
  const offered = action === 'answer' && offer ? `: ${OFFER_TEXTS[offer].toLowerCase()}` : '';
  return `${start}${offered}${amountOf(event)}`;
}

/** Where somebody was, as the form has it that hands the laundry on. */
export const townPlaceText = ({ latitude, longitude }: Point): string =>
  locationText({ lat: latitude, lng: longitude });

/** The last answer of the person whom the case is about. */
export function townAnswerText({ offer }: TownCaseDetails): string | undefined {
  if (!offer) return undefined;
  const amount = offer.amount === null ? '' : `, ${formatMoney(offer.amount)}`;
  return `${OFFER_TEXTS[offer.kind as Offer]}${amount}`;
}

/** Who can bear what is given back. */
export function liableChoices({ people, dubers }: TownCaseDetails): { value: LiableParty; label: string }[] {
  const duber = people?.duber ?? dubers[0];
  const name = people?.duber || dubers.length === 1 ? `${duber?.name} (Duber)` : 'A Duber';
  return [
    { value: 'platform', label: 'The platform' },
    ...(people ? [{ value: 'scrub' as const, label: `${people.scrub.name} (Scrub)` }] : []),
    ...(duber ? [{ value: 'duber' as const, label: name }] : []),
  ];
}

/** The Dubers to choose from when one bears it: nobody, when the case says who it is or only one has had the laundry. */
export const dubersToChoose = ({ people, dubers }: TownCaseDetails): TownCaseDetails['dubers'] =>
  people?.duber || dubers.length < 2 ? [] : dubers;

/** The delivery that a decision names for what a Duber bears. */
export const deliveryOf = ({ people, dubers }: TownCaseDetails, chosen: string): string | undefined =>
  people?.duber ? undefined : chosen || (dubers.length === 1 ? dubers[0]?.deliveryId : undefined);
