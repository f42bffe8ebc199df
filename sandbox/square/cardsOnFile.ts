import type { SquareContext } from './createPayment.ts';
import { findPayment } from './payments.ts';
import { type Body, fingerprint, readBody, readText, requireText } from './requestBody.ts';
import { findStoredAnswer, newId, type SquareStore } from './store.ts';
import { savedOutcomeOf } from './testCards.ts';
import { type ApiResponse, type Card, type CardOnFile, type Customer, refuse } from './types.ts';

// Square's Customers API and Cards API.

const CUSTOMER_FIELDS =
  'idempotency_key given_name family_name company_name nickname email_address address phone_number reference_id note birthday tax_ids'.split(
    ' ',
  );
const DAY_MS = 24 * 60 * 60 * 1000;

export function createCustomer(store: SquareStore, received: unknown, { now }: SquareContext): ApiResponse {
  const body = readBody(received, CUSTOMER_FIELDS);
  return answerOnce(store, `customer ${requireText(body, 'idempotency_key', 45)}`, body, () => {
    const identity = ['given_name', 'family_name', 'company_name', 'email_address', 'phone_number'];
    if (!identity.some((field) => readText(body, field, 300)))
      throw refuse('MISSING_REQUIRED_PARAMETER', 'A name, an email address or a phone number is required.');
    const at = now().toISOString();
    const reference = readText(body, 'reference_id', 100);
    const email = readText(body, 'email_address', 254);
    const customer: Customer = {
      id: newId(26).toUpperCase(),
      ...{ created_at: at, updated_at: at },
      ...(email ? { email_address: email } : {}),
      ...(reference ? { reference_id: reference } : {}),
      creation_source: 'THIRD_PARTY',
    };
    return { change: { at, what: 'A customer was made', customer }, body: { customer } };
  });
}

/** The cards of the customer stay, disabled. */
export function deleteCustomer(store: SquareStore, id: string, { now }: SquareContext): ApiResponse {
  const customer = findCustomer(store, id);
  const at = now().toISOString();
  for (const card of store.cards.values()) if (card.customer_id === id) disable(store, card, at);
  store.write({ at, what: 'A customer was deleted', customer: { ...customer, is_deleted: true } });
  return { status: 200, body: {} };
}

/** From a payment of the last 24 hours. Square also takes a token of the card form, which is not simulated. */
export function createCard(store: SquareStore, received: unknown, place: SquareContext): ApiResponse {
  const body = readBody(received, ['idempotency_key', 'source_id', 'verification_token', 'card']);
  return answerOnce(store, `card ${requireText(body, 'idempotency_key', 45)}`, body, () => {
    const asked = readBody(body.card ?? {}, ['customer_id', 'reference_id', 'cardholder_name', 'billing_address']);
    readText(body, 'verification_token', 4096);
    const customerId = requireText(asked, 'customer_id', 192);
    findCustomer(store, customerId);
    const reference = readText(asked, 'reference_id', 128);
    const card = findCardOfPayment(store, requireText(body, 'source_id', 16_384), place);
    const at = place.now().toISOString();
    const cardOnFile: CardOnFile = {
      ...{ id: `ccof:${newId(24)}`, card, customer_id: customerId },
      ...(reference ? { reference_id: reference } : {}),
      ...{ enabled: true, version: 1, created_at: at, outcome: savedOutcomeOf(card) },
    };
    return { change: { at, what: 'A card was saved', cardOnFile }, body: { card: toWire(cardOnFile) } };
  });
}

export function getCard(store: SquareStore, id: string): ApiResponse {
  return { status: 200, body: { card: toWire(findCard(store, id)) } };
}

/** A card that is disabled already is no error. */
export function disableCard(store: SquareStore, id: string, { now }: SquareContext): ApiResponse {
  return { status: 200, body: { card: toWire(disable(store, findCard(store, id), now().toISOString())) } };
}

function disable(store: SquareStore, card: CardOnFile, at: string): CardOnFile {
  if (!card.enabled) return card;
  const disabled: CardOnFile = { ...card, enabled: false, version: card.version + 1 };
  store.write({ at, what: 'A card was disabled', cardOnFile: disabled });
  return disabled;
}

/** As Square writes a card on file. */
const toWire = ({ card, outcome: _outcome, ...onFile }: CardOnFile) => ({ ...card, ...onFile });

function findCard(store: SquareStore, id: string): CardOnFile {
  const card = store.cards.get(id);
  if (!card) throw refuse('NOT_FOUND', `Card with ID ${id} not found.`, 'card_id', 404);
  return card;
}

function findCustomer(store: SquareStore, id: string): Customer {
  const customer = store.customers.get(id);
  if (!customer || customer.is_deleted)
    throw refuse('NOT_FOUND', `Customer with ID \`${id}\` not found.`, undefined, 404);
  return customer;
}

function findCardOfPayment(store: SquareStore, id: string, place: SquareContext): Card {
  if (!store.payments.has(id)) throw refuse('NOT_FOUND', 'Card nonce not found', 'source_id', 404);
  const { created_at, status, card_details } = findPayment(store, id, place);
  const isRecent = place.now().getTime() - Date.parse(created_at) < DAY_MS;
  if (!isRecent) throw refuse('SOURCE_EXPIRED', 'The source has expired.', 'source_id');
  if (status === 'FAILED' || card_details.card.card_brand === 'SQUARE_GIFT_CARD')
    throw refuse('INVALID_CARD_DATA', 'Invalid card data.', 'source_id');
  return card_details.card;
}

type Done = { readonly change: Parameters<SquareStore['write']>[0]; readonly body: unknown };

/** The same key and body return the same answer. */
function answerOnce(store: SquareStore, key: string, body: Body, act: () => Done): ApiResponse {
  const print = fingerprint(body);
  const before = findStoredAnswer(store, key, print);
  if (before) return before;
  const { change, body: answered } = act();
  const answer: ApiResponse = { status: 200, body: answered };
  store.write({ ...change, given: { key, fingerprint: print, answer } });
  return answer;
}
