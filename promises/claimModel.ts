// Claims and other cases to their end, written by hand: importing the product's tables would copy their mistakes.

import { DAY_MS, HOUR_MS } from '../domain/durations.ts';
import type { Verdict } from './exceptionModel.ts';
import {
  type Actor,
  type Case,
  type Delivery,
  type Duber,
  endCase,
  holderOf,
  isAnotherOfSame,
  isOpenCase,
  type Liable,
  type Life,
  type Person,
  undecided,
} from './orderLife.ts';
import { mayReopen } from './orderModel.ts';

/** What goes wrong with an item. The first three are the Scrub's, the last one is the Duber's. */
export const CLAIM_KINDS = ['smell', 'missing', 'smell', 'late'] as const;
export type ClaimKind = (typeof CLAIM_KINDS)[number];

/** The way back of the last round. */
const wayBackOf = ({ deliveries }: Life) => deliveries.findLast(({ type }) => type === 'Scrub_To_Bud');

/** When the Bud had the laundry back: by a Duber, or on their own. */
function backSince(life: Life): number | undefined {
  if (life.status !== 'Completed') return undefined;
  if (life.selfPickup) return life.completedAt;
  const delivery = wayBackOf(life);
  return delivery?.status === 'Delivered' || delivery?.status === 'Called_Off' ? delivery.changedAt : undefined;
}

const isOpenClaim = (one: Case) => one.opener === 'bud' && isOpenCase(one);

/** Whether the laundry is lost: on the last delivery, or where it was when the order was cancelled. */
const isGone = (life: Life): boolean =>
  holderOf(life) !== 'bud' && (life.wayHome === 'lost' || life.deliveries.at(-1)?.lostAt !== undefined);

/** From when the days of a claim about lost laundry count. */
const goneSince = (life: Life, now: number): number => {
  if (life.status === 'Cancelled') return life.cancelledAt ?? now;
  return life.status === 'Completed' ? (life.deliveries.at(-1)?.lostAt ?? now) : now;
};

export function predictClaim(life: Life, kind: ClaimKind, now: number): Verdict {
  const since = isGone(life) ? goneSince(life, now) : backSince(life);
  if (since === undefined || life.cases.some(isOpenClaim)) return false;
  if (isGone(life) && kind !== 'missing') return false;
  return now - since <= (kind === 'missing' ? 7 * DAY_MS : 48 * HOUR_MS);
}

const MANY_CLAIMS = 3;

/** Opens a claim of `asked` cents: the Scrub or the Duber answers first, and the town when there are many. */
export function applyClaim(
  life: Life,
  kind: ClaimKind,
  { id, asked }: { id: string; asked: number },
  now: number,
): void {
  const isLost = isGone(life);
  const last = life.deliveries.at(-1);
  const lostDelivery = last?.lostAt === undefined ? undefined : last;
  const delivery = isLost ? lostDelivery : wayBackOf(life);
  const isDubers = (isLost || kind === 'late') && delivery?.duber !== undefined;
  const earlier = life.cases.filter(({ opener }) => opener === 'bud').length;
  const status = isLost || earlier + 1 >= MANY_CLAIMS ? 'with-town' : isDubers ? 'with-duber' : 'with-scrub';
  life.cases.push({
    ...{
      id,
      kind: 'claim',
      delivery: isDubers ? delivery : undefined,
      opener: 'bud',
      about: isDubers ? delivery.duber : life.scrub,
    },
    ...{ status, priority: 'normal', openedAt: now, since: now, asked },
    ...undecided(),
  });
}

export const CASE_STEPS = ['answer', 'accept-offer', 'refuse-offer', 'contest', 'deny'] as const;
export type CaseStep = (typeof CASE_STEPS)[number];
export const TOWN_CASE_STEPS = ['decide', 'close'] as const;
export type TownCaseStep = (typeof TOWN_CASE_STEPS)[number];
export const OFFERS = ['clean-again', 'give-back', 'was-before'] as const;
export type Offer = (typeof OFFERS)[number];

const isDuber = (person: Person | undefined): person is Duber => person === 'duber' || person === 'otherDuber';
const sideOf = ({ about }: Case): Liable => {
  if (about === undefined) return 'platform';
  return isDuber(about) ? 'duber' : 'scrub';
};

/** Whether a decision of the town costs the person something, or gives them less than they asked for. */
function bears(one: Case, actor: Person): boolean {
  if (one.decidedBy !== 'Operator') return false;
  if (actor === 'bud') return one.opener === 'bud' && one.decidedCents < one.asked;
  if (actor === one.bearer) return one.borne.duber > 0;
  return actor === one.about && sideOf(one) === 'scrub' && one.borne.scrub > 0;
}

const CONTEST_MS = 7 * DAY_MS;

const isBesideOpen = (life: Life, one: Case) => life.cases.filter(isAnotherOfSame(one)).some(isOpenCase);

const SAID_BY_DUBER = ['failed-pickup', 'failed-drop'];

/** A Bud says once that it did not fail as its Duber says, before the town has decided. */
const mayDeny = ({ kind, status, decidedBy, wasDenied }: Case) =>
  SAID_BY_DUBER.includes(kind) && status === 'with-town' && decidedBy === undefined && !wasDenied;

export function predictCaseStep(life: Life, one: Case, actor: Actor, step: CaseStep, now: number): Verdict {
  if (actor === 'operator') return false;
  if (step === 'answer') return actor === one.about && one.opener === 'bud' && /-(scrub|duber)$/.test(one.status);
  if (step === 'deny') return actor === 'bud' && (isPerhapsOver(one) ? 'unknown' : mayDeny(one));
  if (step !== 'contest') return actor === 'bud' && one.opener === 'bud' && one.status === 'with-bud';
  const isInTime = one.status === 'decided' && now - one.since < CONTEST_MS;
  return isInTime && !one.wasContested && bears(one, actor) && !isBesideOpen(life, one);
}

/** What somebody says with a step. */
export type CaseReport = { readonly offer: Offer; readonly cents: number };

export function applyCaseStep(
  life: Life,
  one: Case,
  step: CaseStep,
  report: CaseReport,
  now: number,
): { reopens: boolean } {
  one.since = now;
  if (step === 'answer') {
    one.offer = { kind: report.offer, cents: report.offer === 'give-back' ? report.cents : 0 };
    one.status = one.isCovered ? 'with-bud' : 'with-town';
  }
  if (step === 'refuse-offer') one.status = 'with-town';
  if (step === 'deny') one.wasDenied = true;
  if (step === 'contest') Object.assign(one, { status: 'with-town', wasContested: true });
  return { reopens: step === 'accept-offer' && carryOutOffer(life, one, 'Bud', now) };
}

/** Whether an offer cannot be carried out, whoever has earned how much. */
export const cannotHappen = (life: Life, { offer, delivery }: Case): boolean =>
  offer?.kind === 'clean-again'
    ? !mayReopen(life)
    : offer?.kind === 'give-back' && delivery !== undefined && delivery.duber === undefined;

/** What was offered happens, also when the Bud is silent. Whether the order starts over with it. */
function carryOutOffer(life: Life, one: Case, by: 'Bud' | 'System', now: number): boolean {
  const reopens = one.offer?.kind === 'clean-again';
  if (cannotHappen(life, one) || !one.isCovered) {
    one.status = 'with-town';
    return false;
  }
  endCase(life, one, { status: 'decided', decidedBy: by }, now);
  one.borne[sideOf(one)] += one.offer?.cents ?? 0;
  if (isDuber(one.about)) one.bearer = one.about;
  return reopens;
}

/** What an operator decides, for the first item. It may name the delivery of the Duber who bears it. */
export type Decision = Share & { readonly delivery?: Delivery | undefined };
type Share = { readonly liable: Liable; readonly cents: number };

/** The deliveries that a decision can name: their Dubers have had the laundry. */
export const carriedDeliveries = ({ deliveries }: Life): Delivery[] =>
  deliveries.filter(({ status }) => status === 'Delivered');

/** The Duber who bears what a decision asks of a Duber. */
const bearerOf = ({ about }: Case, { delivery }: Decision): Duber | undefined =>
  delivery ? delivery.duber : isDuber(about) ? about : undefined;

const sumOf = ({ borne }: Case) => borne.platform + borne.scrub + borne.duber;

/** The smallest order has more than this to give back. */
const SURE_CENTS = 500;
/** Whether the card has enough for whatever its cases ask for. It may not be charged, or have everything back. */
export const isMoneySure = (life: Life, cents: number): boolean =>
  life.completedAt !== undefined &&
  !life.deliveries.some(({ status }) => status === 'Called_Off') &&
  life.cases.reduce((sum, one) => sum + sumOf(one), 0) + cents <= SURE_CENTS;

type Shares = { readonly missing: Share[]; readonly forgiven: Share[]; readonly platform: number };

/** What each side has to bear besides what it bore before, and what the platform bears instead of it. */
function sharesOf(one: Case, { liable, cents }: Decision): Shares {
  const more = (side: Liable) => (side === liable ? cents : 0) - one.borne[side];
  const people = (['scrub', 'duber'] as const).map((side) => ({ liable: side, cents: more(side) }));
  return {
    missing: people.filter((share) => share.cents > 0),
    forgiven: people.filter((share) => share.cents < 0),
    platform: more('platform'),
  };
}

export function predictDecision(life: Life, one: Case, decision: Decision): Verdict {
  if (isPerhapsOver(one)) return 'unknown';
  if (one.status !== 'with-town') return false;
  const { missing, forgiven, platform } = sharesOf(one, decision);
  // What went back to the card cannot be asked for again.
  if (platform < 0 || (missing.length > 0 && forgiven.length > 0)) return false;
  const isMore = missing.some(({ liable }) => liable === 'duber');
  // One Duber bears all of it.
  if ((isMore || decision.delivery) && one.borne.duber > 0 && bearerOf(one, decision) !== one.bearer) return false;
  if (decision.cents === 0) return true;
  const isOfDelivery =
    decision.liable !== 'duber' ||
    decision.delivery ||
    (one.delivery !== undefined && one.delivery.duber === one.about);
  return isMoneySure(life, decision.cents) && isOfDelivery ? true : 'unknown';
}

export function applyDecision(life: Life, one: Case, decision: Decision, now: number): void {
  const { missing, forgiven, platform } = sharesOf(one, decision);
  for (const { liable, cents } of [...missing, ...forgiven]) one.borne[liable] += cents;
  if (missing.some(({ liable }) => liable === 'duber')) one.bearer = bearerOf(one, decision);
  const instead = forgiven.reduce((sum, { cents }) => sum + cents, 0);
  one.borne.platform += Math.max(0, platform + instead) - instead;
  const decidedCents = one.opener === 'bud' ? decision.cents : 0;
  endCase(life, one, { status: 'decided', decidedBy: 'Operator', decidedCents }, now);
}

export const predictClosing = (one: Case): Verdict => (isPerhapsOver(one) ? 'unknown' : one.status === 'with-town');
export const applyClosing = (life: Life, one: Case, now: number) => endCase(life, one, { status: 'closed' }, now);

/** When the server goes on with a case by itself. */
export function caseDueAt(life: Life, one: Case): number | undefined {
  const { status, since } = one;
  if (status === 'with-scrub' || status === 'with-duber') return since + 24 * HOUR_MS;
  if (status === 'with-bud') return since + 72 * HOUR_MS;
  if (status === 'with-town') return since + 48 * HOUR_MS;
  return status === 'decided' && !isBesideOpen(life, one) ? since + CONTEST_MS : undefined;
}

/** Whether the Bud has not answered an offer in time, so that it happens now. */
export const isOfferDue = (life: Life, one: Case, now: number): boolean =>
  one.status === 'with-bud' && (caseDueAt(life, one) ?? Number.POSITIVE_INFINITY) <= now;

/** Whether what the case is about is over, so that the server closes it. With money that waits for the case it does not. */
function isOver({ status }: Life, { kind, delivery, decidedBy, wasDenied }: Case): boolean {
  if (decidedBy !== undefined || wasDenied) return false;
  if (kind === 'scrub-silent') return status !== 'Accepted';
  if (kind === 'late') return status !== 'In_Progress';
  return ['relay', 'wrong-pin', ...SAID_BY_DUBER].includes(kind) && delivery?.status === 'Delivered';
}

const isPerhapsOver = ({ status, decidedBy }: Case) => status === 'closing' && decidedBy === undefined;

/** A case that is over is closed, unless money waits for it, which the model does not know. */
function becomeUrgent(life: Life, one: Case): void {
  if (!isOver(life, one)) one.priority = 'high';
  else if (one.kind === 'scrub-silent' || one.kind === 'late') one.status = 'closed';
  else one.status = 'closing';
}

/** Takes the step of the server that is due. Whether the order starts over with it. */
export function applyCaseTimer(life: Life, one: Case, now: number): boolean {
  const { status } = one;
  one.since = now;
  if (status === 'with-bud') return carryOutOffer(life, one, 'System', now);
  if (status === 'with-scrub' || status === 'with-duber') one.status = 'with-town';
  if (status === 'with-town') becomeUrgent(life, one);
  // It waits until the card has what goes back.
  if (status === 'decided') one.status = sumOf(one) > 0 ? 'closing' : 'closed';
  return false;
}
