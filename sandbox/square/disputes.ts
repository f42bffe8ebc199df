import type { SquareContext } from './createPayment.ts';
import { findPayment } from './payments.ts';
import { fingerprint, readBody, readMoney, readText, requireText } from './requestBody.ts';
import { findStoredAnswer, newId, type SquareStore } from './store.ts';
import { type ApiResponse, type Dispute, type Evidence, type Payment, refuse } from './types.ts';

type Query = Record<string, string | string[] | undefined>;

const REASONS = [
  'AMOUNT_DIFFERS',
  'CANCELLED',
  'DUPLICATE',
  'NO_KNOWLEDGE',
  'NOT_AS_DESCRIBED',
  'NOT_RECEIVED',
  'PAID_BY_OTHER_MEANS',
  'CUSTOMER_REQUESTS_CREDIT',
  'EMV_LIABILITY_SHIFT',
];
const STATES = [
  ...['INQUIRY_EVIDENCE_REQUIRED', 'INQUIRY_PROCESSING', 'INQUIRY_CLOSED', 'EVIDENCE_REQUIRED', 'PROCESSING', 'WON'],
  ...['LOST', 'ACCEPTED'],
] as const;
type State = Dispute['state'];
const ENDED: readonly State[] = ['WON', 'LOST', 'ACCEPTED', 'INQUIRY_CLOSED'];
const FIRST_REASON_CENTS = 8801;
const DAYS_TO_ANSWER = 14;
const DAY_MS = 24 * 60 * 60 * 1000;
const PAGE_SIZE = 20;
const MAX_EVIDENCE = 9;

export const isDisputed = (store: SquareStore, payment: Payment): boolean =>
  [...store.disputes.values()].some(
    ({ disputed_payment, state }) => disputed_payment.payment_id === payment.id && !ENDED.includes(state),
  );

/** As in Square's sandbox: a captured payment of $88.01 to $88.09 is contested, and the amount says why. */
export function disputeByAmount(store: SquareStore, payment: Payment, place: SquareContext): void {
  const reason = REASONS[payment.total_money.amount - FIRST_REASON_CENTS];
  if (reason !== undefined) openDispute(store, payment, { reason }, place);
}

type Opening = { reason: string; amount?: number; state?: State; days?: number };

function openDispute(store: SquareStore, payment: Payment, opening: Opening, { now }: SquareContext): Dispute {
  const { reason, state = 'EVIDENCE_REQUIRED', days = DAYS_TO_ANSWER } = opening;
  const at = now().toISOString();
  const id = newId(22);
  const left = payment.total_money.amount - (payment.refunded_money?.amount ?? 0);
  const dispute: Dispute = {
    id,
    dispute_id: id,
    amount_money: { ...payment.total_money, amount: Math.min(left, opening.amount ?? left) },
    reason,
    state,
    due_at: new Date(now().getTime() + days * DAY_MS).toISOString(),
    disputed_payment: { payment_id: payment.id },
    evidence_ids: [],
    card_brand: payment.card_details.card.card_brand,
    created_at: at,
    updated_at: at,
    brand_dispute_id: newId(20),
    version: 1,
    location_id: payment.location_id,
  };
  store.write({ at, what: `Contested: ${reason}`, dispute, isNewDispute: true });
  return dispute;
}

export function listDisputes(store: SquareStore, query: Query): ApiResponse {
  const read = (name: string) => [query[name] ?? []].flat().flatMap((value) => value.split(','));
  const [states, [location], [cursor]] = [read('states'), read('location_id'), read('cursor')];
  const unknown = states.find((state) => !STATES.includes(state as State));
  if (unknown !== undefined) throw refuse('INVALID_ENUM_VALUE', `\`${unknown}\` is no state.`, 'states');
  const placeOf = ({ created_at, id }: Dispute) => `${created_at} ${id}`;
  const after = cursor === undefined ? '' : Buffer.from(cursor, 'base64url').toString();
  const matches = [...store.disputes.values()]
    .filter(({ state }) => states.length === 0 || states.includes(state))
    .filter(({ location_id }) => location === undefined || location_id === location)
    .toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
    .filter((dispute) => placeOf(dispute) > after);
  const page = matches.slice(0, PAGE_SIZE);
  const last = page.at(-1);
  const next = last && matches.length > page.length ? Buffer.from(placeOf(last)).toString('base64url') : undefined;
  return { status: 200, body: { ...(last ? { disputes: page } : {}), ...(next ? { cursor: next } : {}) } };
}

function findDispute(store: SquareStore, id: string): Dispute {
  const dispute = store.disputes.get(id);
  if (!dispute) throw refuse('NOT_FOUND', `Could not find dispute with id: ${id}`, 'dispute_id', 404);
  return dispute;
}

export function getDispute(store: SquareStore, id: string): ApiResponse {
  return { status: 200, body: { dispute: findDispute(store, id) } };
}

export function createEvidenceText(
  store: SquareStore,
  id: string,
  received: unknown,
  { now }: SquareContext,
): ApiResponse {
  const body = readBody(received, ['idempotency_key', 'evidence_type', 'evidence_text']);
  const key = `evidence ${requireText(body, 'idempotency_key', 45)}`;
  const text = requireText(body, 'evidence_text', 500);
  const type = readText(body, 'evidence_type', 60) ?? 'GENERIC_EVIDENCE';
  const print = fingerprint({ ...body, id });
  const before = findStoredAnswer(store, key, print);
  if (before) return before;
  const dispute = findDispute(store, id);
  requireEvidenceState(dispute);
  if (dispute.evidence_ids.length >= MAX_EVIDENCE)
    throw refuse('BAD_REQUEST', `A dispute takes at most ${MAX_EVIDENCE} pieces of evidence.`);
  const at = now().toISOString();
  const evidence: Evidence = {
    ...{ id: newId(22), dispute_id: id, evidence_type: type, evidence_text: text, uploaded_at: at },
  };
  const answer: ApiResponse = { status: 200, body: { evidence } };
  const changed = change(dispute, { evidence_ids: [...dispute.evidence_ids, evidence.id] }, at);
  store.write({ at, what: 'Evidence', dispute: changed, evidence, given: { key, fingerprint: print, answer } });
  return answer;
}

export function submitEvidence(store: SquareStore, id: string, { now }: SquareContext): ApiResponse {
  const dispute = findDispute(store, id);
  requireEvidenceState(dispute);
  if (dispute.evidence_ids.length === 0) throw refuse('BAD_REQUEST', 'There is no evidence to submit.');
  const at = now().toISOString();
  const isInquiry = dispute.state === 'INQUIRY_EVIDENCE_REQUIRED';
  const changed = change(dispute, { state: isInquiry ? 'INQUIRY_PROCESSING' : 'PROCESSING' }, at);
  store.write({ at, what: 'Evidence submitted', dispute: changed });
  return { status: 200, body: { dispute: changed } };
}

export function acceptDispute(store: SquareStore, id: string, { now }: SquareContext): ApiResponse {
  const dispute = findDispute(store, id);
  requireEvidenceState(dispute);
  const at = now().toISOString();
  const changed = change(dispute, { state: 'ACCEPTED' }, at);
  store.write({ at, what: 'Accepted the loss', dispute: changed });
  return { status: 200, body: { dispute: changed } };
}

function requireEvidenceState({ id, state }: Dispute): void {
  if (state === 'EVIDENCE_REQUIRED' || state === 'INQUIRY_EVIDENCE_REQUIRED') return;
  throw refuse('DISPUTE_ERROR', `Dispute ${id} is ${state}, which is invalid for the requested operation`);
}

const change = (dispute: Dispute, changes: Partial<Dispute>, at: string): Dispute => ({
  ...dispute,
  ...changes,
  updated_at: at,
  version: dispute.version + 1,
});

/** Not part of Square's API: a cardholder contests a payment. */
export function contestPayment(store: SquareStore, received: unknown, place: SquareContext): ApiResponse {
  const body = readBody(received, ['payment_id', 'reason', 'amount_money', 'state', 'days']);
  const payment = findPayment(store, requireText(body, 'payment_id', 192), place);
  if (payment.status !== 'COMPLETED') throw refuse('BAD_REQUEST', 'Only a captured payment is contested.');
  if (isDisputed(store, payment)) throw refuse('BAD_REQUEST', 'It is contested already.');
  const amount = readMoney(body, 'amount_money')?.amount;
  const days = typeof body.days === 'number' ? body.days : undefined;
  const state = body.state === 'INQUIRY_EVIDENCE_REQUIRED' ? ('INQUIRY_EVIDENCE_REQUIRED' as const) : undefined;
  const opening = { reason: readText(body, 'reason', 50) ?? 'NOT_RECEIVED' };
  const more = { ...(amount ? { amount } : {}), ...(days ? { days } : {}), ...(state ? { state } : {}) };
  return { status: 201, body: { dispute: openDispute(store, payment, { ...opening, ...more }, place) } };
}

/** Not part of Square's API: the bank decides. */
export function decideDispute(store: SquareStore, id: string, received: unknown, { now }: SquareContext): ApiResponse {
  const { state } = readBody(received, ['state']);
  if (!STATES.includes(state as State))
    throw refuse('INVALID_ENUM_VALUE', 'state is not a state of a dispute', 'state');
  const at = now().toISOString();
  const changed = change(findDispute(store, id), { state: state as State }, at);
  store.write({ at, what: `The bank says ${String(state)}`, dispute: changed });
  return { status: 200, body: { dispute: changed } };
}
