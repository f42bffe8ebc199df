import { createHash } from 'node:crypto';
import type { Card, ChargeOutcome } from './types.ts';

type Brand = { name: string; prefix: RegExp; lengths: number[]; cvvLength: number; hasNoCheckDigit?: true };

const BRANDS: Brand[] = [
  { name: 'AMERICAN_EXPRESS', prefix: /^3[47]/, lengths: [15], cvvLength: 4 },
  { name: 'DISCOVER_DINERS', prefix: /^3(?:0[0-5]|[689])/, lengths: [14], cvvLength: 3 },
  { name: 'JCB', prefix: /^35/, lengths: [16], cvvLength: 3 },
  { name: 'VISA', prefix: /^4/, lengths: [13, 16, 19], cvvLength: 3 },
  { name: 'MASTERCARD', prefix: /^(?:5[1-5]|2[2-7])/, lengths: [16], cvvLength: 3 },
  { name: 'DISCOVER', prefix: /^6(?:011|4|5)/, lengths: [16], cvvLength: 3 },
  // Some UnionPay cards, including the published one, have no check digit.
  { name: 'CHINA_UNIONPAY', prefix: /^62/, lengths: [16, 17, 18, 19], cvvLength: 3, hasNoCheckDigit: true },
];

export function findBrand(number: string): Brand | undefined {
  return BRANDS.find(({ prefix: starts }) => starts.test(number));
}

/** The card numbers that Square publishes for its sandbox. */
export const PUBLISHED_CARDS = [
  { brand: 'Visa', number: '4111111111111111', cvv: '111' },
  { brand: 'Mastercard', number: '5105105105105100', cvv: '111' },
  { brand: 'Discover', number: '6011000000000004', cvv: '111' },
  { brand: 'Diners Club', number: '30000000000004', cvv: '111' },
  { brand: 'JCB', number: '3569990010095841', cvv: '111' },
  { brand: 'American Express', number: '340000000000009', cvv: '1111' },
  { brand: 'China UnionPay', number: '6222988812340000', cvv: '123' },
] as const;

const DECLINED_NUMBER = '4000000000000002';

/** Ours, not Square's: a Visa card that pays, and is declined once it is charged as a saved card. */
const DECLINED_WHEN_SAVED = '0341';

/** How charging a saved card ends. */
export const savedOutcomeOf = ({ card_brand, last_4 }: Pick<Card, 'card_brand' | 'last_4'>): ChargeOutcome =>
  card_brand === 'VISA' && last_4 === DECLINED_WHEN_SAVED ? 'GENERIC_DECLINE' : 'OK';

export type CardInput = { number: string; expMonth: number; expYear: number; cvv: string; postalCode: string };

/** The values that make a card fail when charged, as in Square's sandbox. */
export function chargeOutcomeOf({ number, expMonth, expYear, cvv, postalCode }: CardInput): ChargeOutcome {
  if (number === DECLINED_NUMBER) return 'GENERIC_DECLINE';
  if (cvv === '911') return 'CVV_FAILURE';
  if (postalCode === '99999') return 'ADDRESS_VERIFICATION_FAILURE';
  if (expMonth === 1 && expYear === 2040) return 'INVALID_EXPIRATION';
  return 'OK';
}

/** Keeps the first six digits only of published test numbers; of any other card, only the last four. */
export function describeCard({ number, expMonth, expYear }: CardInput): Card {
  const brand = findBrand(number)?.name ?? 'OTHER_BRAND';
  const isPublished = number === DECLINED_NUMBER || PUBLISHED_CARDS.some((card) => card.number === number);
  const facts = { card_brand: brand, last_4: number.slice(-4), exp_month: expMonth, exp_year: expYear };
  return completeCard(facts, isPublished ? number.slice(0, 6) : undefined);
}

function completeCard(facts: Omit<Card, 'fingerprint' | 'card_type' | 'prepaid_type' | 'bin'>, bin?: string) {
  const card: Card = {
    ...facts,
    card_type: 'CREDIT',
    prepaid_type: 'NOT_PREPAID',
    // Everyone uses the published test cards: as one card, the declines of one person would count for all.
    ...(bin ? { bin } : { fingerprint: fingerprintOf(`${facts.card_brand} ${facts.last_4}`) }),
  };
  return card;
}

// As with Square, it tells card numbers apart, whatever expiration date and CVV come with them.
const fingerprintOf = (number: string) => `sq-1-${createHash('sha256').update(number).digest('base64url')}`;

const PUBLISHED_VISA = completeCard({ card_brand: 'VISA', last_4: '5858', exp_month: 12, exp_year: 2045 }, '453275');
const GIFT_CARD = completeCard(
  { card_brand: 'SQUARE_GIFT_CARD', last_4: '0000', exp_month: 12, exp_year: 2050 },
  '778332',
);

export type PublishedSource = { card: Card; outcome: ChargeOutcome | 'CARD_TOKEN_USED'; onFile: boolean };

/** The source ids that Square publishes for its sandbox. Unlike real tokens, they can be used any number of times. */
const PUBLISHED_SOURCES: ReadonlyMap<string, PublishedSource> = new Map([
  ['cnon:card-nonce-ok', { card: PUBLISHED_VISA, outcome: 'OK', onFile: false }],
  ['cnon:card-nonce-declined', { card: PUBLISHED_VISA, outcome: 'GENERIC_DECLINE', onFile: false }],
  ['cnon:card-nonce-rejected-cvv', { card: PUBLISHED_VISA, outcome: 'CVV_FAILURE', onFile: false }],
  [
    'cnon:card-nonce-rejected-postalcode',
    { card: PUBLISHED_VISA, outcome: 'ADDRESS_VERIFICATION_FAILURE', onFile: false },
  ],
  ['cnon:card-nonce-rejected-expiration', { card: PUBLISHED_VISA, outcome: 'INVALID_EXPIRATION', onFile: false }],
  ['cnon:card-nonce-already-used', { card: PUBLISHED_VISA, outcome: 'CARD_TOKEN_USED', onFile: false }],
  ['cnon:gift-card-nonce-ok', { card: GIFT_CARD, outcome: 'OK', onFile: false }],
  ['cnon:gift-card-nonce-insufficient-funds', { card: GIFT_CARD, outcome: 'INSUFFICIENT_FUNDS', onFile: false }],
  [
    'cnon:gift-card-nonce-insufficient-permission',
    { card: GIFT_CARD, outcome: 'INSUFFICIENT_PERMISSIONS', onFile: false },
  ],
  ['ccof:customer-card-id-ok', { card: PUBLISHED_VISA, outcome: 'OK', onFile: true }],
  ['ccof:customer-card-id-declined', { card: PUBLISHED_VISA, outcome: 'GENERIC_DECLINE', onFile: true }],
  ['ccof:customer-card-id-rejected-cvv', { card: PUBLISHED_VISA, outcome: 'CVV_FAILURE', onFile: true }],
  [
    'ccof:customer-card-id-rejected-postalcode',
    { card: PUBLISHED_VISA, outcome: 'ADDRESS_VERIFICATION_FAILURE', onFile: true },
  ],
  ['ccof:customer-card-id-rejected-expiration', { card: PUBLISHED_VISA, outcome: 'INVALID_EXPIRATION', onFile: true }],
  [
    'ccof:customer-card-id-requires-verification',
    { card: PUBLISHED_VISA, outcome: 'CARD_DECLINED_VERIFICATION_REQUIRED', onFile: true },
  ],
] as const satisfies readonly (readonly [string, PublishedSource])[]);

const OWN_CARD = /^cnon:own-card-(\S+)$/;

/**
 * The source behind an id that can be used any number of times: Square's own ones, and `cnon:own-card-NAME`, which is ours. Square's
 * look the same for everybody here; this one is a card that nobody else has.
 */
export function findPublishedSource(id: string): PublishedSource | undefined {
  const [, name] = OWN_CARD.exec(id) ?? [];
  if (name === undefined) return PUBLISHED_SOURCES.get(id);
  const { bin: _bin, ...card } = PUBLISHED_VISA;
  return { card: { ...card, fingerprint: fingerprintOf(`own card ${name}`) }, outcome: 'OK', onFile: false };
}
