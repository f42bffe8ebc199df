import { newId, type SquareStore } from './store.ts';
import { type CardInput, chargeOutcomeOf, describeCard, findBrand } from './testCards.ts';

/** Field names as in the web SDK. */
export type FieldError = {
  type: 'VALIDATION_ERROR';
  field: 'cardNumber' | 'expirationDate' | 'cvv' | 'postalCode';
  message: string;
};

export type TokenResult =
  | { ok: true; token: string; card: { brand: string; last4: string; expMonth: number; expYear: number } }
  | { ok: false; errors: FieldError[] };

const TOKEN_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** Stores the last four digits and the outcome of charging the card, nothing else. */
export function tokenizeCard(store: SquareStore, typed: CardInput, now: Date): TokenResult {
  const errors = checkCard(typed, now);
  if (errors.length > 0) return { ok: false, errors };
  const card = describeCard(typed);
  const token = {
    id: `cnon:CB${newId(22)}`,
    card,
    outcome: chargeOutcomeOf(typed),
    expires_at: new Date(now.getTime() + TOKEN_LIFETIME_MS).toISOString(),
    used: false,
  };
  store.write({ at: now.toISOString(), what: 'A card was typed', token });
  const { card_brand, last_4, exp_month, exp_year } = card;
  return {
    ok: true,
    token: token.id,
    card: { brand: card_brand, last4: last_4, expMonth: exp_month, expYear: exp_year },
  };
}

export function readCard(body: unknown): CardInput {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const digits = (field: string) => String(fields[field] ?? '').replace(/\D/g, '');
  return {
    number: digits('number'),
    expMonth: Number(digits('expMonth')),
    expYear: Number(digits('expYear')),
    cvv: digits('cvv'),
    postalCode: String(fields.postalCode ?? '').trim(),
  };
}

function checkCard({ number, expMonth, expYear, cvv, postalCode }: CardInput, now: Date): FieldError[] {
  const errors: FieldError[] = [];
  const add = (field: FieldError['field'], message: string) =>
    errors.push({ type: 'VALIDATION_ERROR', field, message });
  const brand = findBrand(number);
  const isWhole = brand?.lengths.includes(number.length) && (brand.hasNoCheckDigit || passesLuhn(number));
  if (!isWhole) add('cardNumber', 'Card number is not valid');
  const firstAfter = new Date(Date.UTC(expYear, expMonth, 1));
  if (expMonth < 1 || expMonth > 12 || expYear < 2000 || expYear > 2099 || firstAfter <= now) {
    add('expirationDate', 'Expiration date is not valid');
  }
  if (cvv.length !== (brand?.cvvLength ?? 3)) add('cvv', 'CVV is not valid');
  if (!/^\d{5}(?:-?\d{4})?$/.test(postalCode)) add('postalCode', 'ZIP is not valid');
  return errors;
}

function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
