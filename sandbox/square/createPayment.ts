import {
  type Body,
  fingerprint,
  readBody,
  readBoolean,
  readDuration,
  readMoney,
  readText,
  requireMoney,
  requireText,
} from './requestBody.ts';
import { type CardToken, findStoredAnswer, newId, type SquareStore } from './store.ts';
import { findPublishedSource } from './testCards.ts';
import {
  type ApiError,
  type ApiResponse,
  type Card,
  type CardDetails,
  type CardOnFile,
  type ChargeOutcome,
  type Payment,
  refuse,
} from './types.ts';

const KNOWN_FIELDS = `source_id idempotency_key amount_money tip_money app_fee_money app_fee_allocations delay_duration
  delay_action autocomplete order_id customer_id location_id team_member_id reference_id verification_token
  accept_partial_authorization buyer_email_address buyer_phone_number billing_address shipping_address note
  statement_description_identifier cash_details external_details customer_details offline_payment_details`.split(/\s+/);
const MAX_AMOUNT = 5_000_000;
const ONE_WEEK = 'P7D';
const UNEDITABLE_BRANDS = ['AMERICAN_EXPRESS', 'SQUARE_GIFT_CARD'];

export type SquareContext = { publicUrl: () => string; now: () => Date };

type CardSource = { card: Card; outcome: ChargeOutcome; onFile: boolean; token?: CardToken };

/** Authorises the card and, unless autocomplete is false, captures at once. A refused card is a FAILED payment and a 402. */
export function createPayment(store: SquareStore, received: unknown, { publicUrl, now }: SquareContext): ApiResponse {
  const body = readBody(received, KNOWN_FIELDS);
  const key = `payment ${requireText(body, 'idempotency_key', 45)}`;
  const sourceId = requireText(body, 'source_id', 192);
  const print = fingerprint(body);
  const before = findStoredAnswer(store, key, print);
  if (before) return before;

  const at = now();
  const draft = draftPayment(body, at, publicUrl());
  const source = findSource(store, sourceId, draft.customer_id, at);
  const payment = authorizePayment(draft, source, readBoolean(body, 'autocomplete', true));
  const errors = payment.card_details.errors;
  const answer: ApiResponse = errors ? { status: 402, body: { errors, payment } } : { status: 200, body: { payment } };
  store.write({
    at: at.toISOString(),
    what: describeNewPayment(payment),
    payment,
    given: { key, fingerprint: print, answer },
    ...(source.token ? { token: { ...source.token, used: true } } : {}),
  });
  return answer;
}

type PaymentDraft = Omit<Payment, 'approved_money' | 'status' | 'card_details'>;

function draftPayment(body: Body, at: Date, publicUrl: string): PaymentDraft {
  const amount = requireMoney(body, 'amount_money', 1);
  const tip = readMoney(body, 'tip_money');
  const total = { amount: amount.amount + (tip?.amount ?? 0), currency: amount.currency };
  if (total.amount > MAX_AMOUNT) {
    throw refuse('AMOUNT_TOO_HIGH', 'The requested payment amount is too high.', 'amount_money.amount');
  }
  const fee = readMoney(body, 'app_fee_money');
  if (fee && fee.amount * 10 > total.amount * 9) {
    throw refuse('INVALID_FEES', 'The app fee cannot be more than 90% of the payment.', 'app_fee_money');
  }
  const id = `${newId(27)}ZY`;
  return {
    id,
    created_at: at.toISOString(),
    updated_at: at.toISOString(),
    amount_money: amount,
    ...(tip ? { tip_money: tip } : {}),
    total_money: total,
    ...(fee ? { app_fee_money: fee } : {}),
    ...readDelay(body, at),
    source_type: 'CARD',
    location_id: readText(body, 'location_id', 50) ?? 'SANDBOX_MAIN',
    order_id: readText(body, 'order_id', 192) ?? newId(24),
    ...readOptionalFields(body),
    receipt_number: id.slice(0, 4),
    receipt_url: `${publicUrl}/sandbox/square#${id}`,
    application_details: { square_product: 'ECOMMERCE_API', application_id: 'sandbox' },
    version_token: newId(32),
  };
}

function readOptionalFields(body: Body): Partial<PaymentDraft> {
  const notes = {
    reference_id: readText(body, 'reference_id', 40),
    customer_id: readText(body, 'customer_id', 191),
    note: readText(body, 'note', 500),
    buyer_email_address: readText(body, 'buyer_email_address', 255),
    statement_description_identifier: readText(body, 'statement_description_identifier', 20),
  };
  readText(body, 'verification_token', 4096);
  return Object.fromEntries(Object.entries(notes).filter(([, value]) => value !== undefined));
}

function readDelay(body: Body, at: Date): Pick<PaymentDraft, 'delay_duration' | 'delay_action' | 'delayed_until'> {
  const asked = readText(body, 'delay_duration', 50);
  if (asked !== undefined && readBoolean(body, 'autocomplete', true)) {
    throw refuse('BAD_REQUEST', 'delay_duration can only be set when autocomplete is false.', 'delay_duration');
  }
  const action = readText(body, 'delay_action', 50) ?? 'CANCEL';
  if (action !== 'CANCEL' && action !== 'COMPLETE') {
    throw refuse('INVALID_ENUM_VALUE', `\`${action}\` is not a valid enum value for \`delay_action\`.`, 'delay_action');
  }
  const duration = asked ?? ONE_WEEK;
  const until = new Date(at.getTime() + readDuration(duration, 'delay_duration'));
  return { delay_duration: duration, delay_action: action, delayed_until: until.toISOString() };
}

// Each attempt uses up the token, whether the card passes or not.
function findSource(store: SquareStore, id: string, customerId: string | undefined, at: Date): CardSource {
  const published = findPublishedSource(id);
  if (published) {
    const { card, outcome, onFile } = published;
    if (outcome === 'CARD_TOKEN_USED') throw refuseUsedToken();
    if (onFile && !customerId) throw refuseWithoutCustomer();
    return { card, outcome, onFile };
  }
  const saved = store.cards.get(id);
  if (saved) return findSavedCard(saved, customerId);
  const token = store.tokens.get(id);
  if (!token) throw refuse('NOT_FOUND', 'Card nonce not found', 'source_id', 404);
  if (token.used) throw refuseUsedToken();
  if (at.toISOString() >= token.expires_at) {
    throw refuse('CARD_TOKEN_EXPIRED', 'Card nonce expired; please request new nonce.', 'source_id');
  }
  return { card: token.card, outcome: token.outcome, onFile: false, token };
}

function findSavedCard(
  { id, card, enabled, customer_id, outcome }: CardOnFile,
  customerId: string | undefined,
): CardSource {
  if (!customerId) throw refuseWithoutCustomer();
  if (!enabled || customer_id !== customerId)
    throw refuse('NOT_FOUND', `Card with ID ${id} not found.`, 'source_id', 404);
  return { card, outcome, onFile: true };
}

const refuseWithoutCustomer = () =>
  refuse('MISSING_REQUIRED_PARAMETER', 'A card on file needs its customer_id.', 'customer_id');

function refuseUsedToken() {
  return refuse('CARD_TOKEN_USED', 'Card nonce already used; please request new nonce.', 'source_id');
}

function authorizePayment(draft: PaymentDraft, { card, outcome, onFile }: CardSource, capture: boolean): Payment {
  const { created_at: at, total_money: total, receipt_number, receipt_url, ...rest } = draft;
  const details = {
    card,
    entry_method: onFile ? ('ON_FILE' as const) : ('KEYED' as const),
    cvv_status: outcome === 'CVV_FAILURE' ? 'CVV_REJECTED' : 'CVV_ACCEPTED',
    avs_status: outcome === 'ADDRESS_VERIFICATION_FAILURE' ? 'AVS_REJECTED' : 'AVS_ACCEPTED',
    statement_description: 'SQ *RUBADUB SANDBOX',
  };
  const base = { ...rest, created_at: at, total_money: total };
  if (outcome !== 'OK') {
    const failed: CardDetails = {
      ...details,
      status: 'FAILED',
      errors: [toDeclineError(outcome)],
      card_payment_timeline: {},
    };
    return { ...base, status: 'FAILED', approved_money: { ...total, amount: 0 }, card_details: failed };
  }
  const timeline = { authorized_at: at, ...(capture ? { captured_at: at } : {}) };
  const passed: CardDetails = {
    ...details,
    status: capture ? 'CAPTURED' : 'AUTHORIZED',
    auth_result_code: newId(6),
    card_payment_timeline: timeline,
  };
  const receipt = capture && receipt_number && receipt_url ? { receipt_number, receipt_url } : {};
  const status = capture ? ('COMPLETED' as const) : ('APPROVED' as const);
  const capabilities = capture ? {} : { capabilities: capabilitiesOf(card) };
  return { ...base, ...receipt, ...capabilities, status, approved_money: total, card_details: passed };
}

// As with Square, not every hold can be edited. Here the holds of gift cards and of American Express cannot.
function capabilitiesOf({ card_brand: brand }: Card): string[] {
  const edits = ['EDIT_AMOUNT_UP', 'EDIT_AMOUNT_DOWN', 'EDIT_TIP_AMOUNT_UP', 'EDIT_TIP_AMOUNT_DOWN'];
  return [...(UNEDITABLE_BRANDS.includes(brand) ? [] : edits), 'EDIT_DELAY_ACTION'];
}

function toDeclineError(code: ChargeOutcome): ApiError {
  return { category: 'PAYMENT_METHOD_ERROR', code, detail: `Authorization error: '${code}'` };
}

function describeNewPayment({ status, card_details }: Payment): string {
  if (status === 'FAILED') return `Declined: ${card_details.errors?.[0]?.code ?? 'unknown'}`;
  return status === 'COMPLETED' ? 'Authorised and captured' : 'Authorised';
}
