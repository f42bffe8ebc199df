import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { z } from 'zod';
import type { SquareConfig } from '../../config/config.ts';

/** The version of Square's API that these shapes are from. Square keeps answering each version as it was. */
const SQUARE_VERSION = '2026-09-16';
/** How long an idle connection is kept: shorter than servers and proxies usually do. */
const IDLE_CONNECTION_MS = 4_000;
/** A kept connection that is reset so soon was closed before the request came. */
const STALE_MS = 250;
const MAX_RESPONSE_LENGTH = 1_000_000;

/** All amounts are in it. */
export const CURRENCY = 'USD';

/** Amounts are whole cents. */
const money = z.object({ amount: z.int(), currency: z.string() });
const card = z.object({
  card_brand: z.string().nullish(),
  last_4: z.string().nullish(),
  fingerprint: z.string().nullish(),
});
const cardOnFile = card.extend({
  id: z.string().min(1),
  exp_month: z.int().nullish(),
  exp_year: z.int().nullish(),
});
const cardAnswer = z.object({ card: cardOnFile });
const customerAnswer = z.object({ customer: z.object({ id: z.string().min(1) }) });
/** Less than zero when it is given back. */
const fee = z.object({ amount_money: money });
const payment = z.object({
  id: z.string().min(1),
  status: z.string(),
  version_token: z.string().nullish(),
  amount_money: money.nullish(),
  total_money: money.nullish(),
  refunded_money: money.nullish(),
  refund_ids: z.array(z.string()).nullish(),
  processing_fee: z.array(fee).nullish(),
  card_details: z
    .object({
      card: card.nullish(),
      card_payment_timeline: z.object({ captured_at: z.string().nullish() }).nullish(),
    })
    .nullish(),
  created_at: z.string().nullish(),
  capabilities: z.array(z.string()).nullish(),
});
const refund = z.object({
  id: z.string().min(1),
  status: z.string(),
  payment_id: z.string().nullish(),
  amount_money: money.nullish(),
  created_at: z.string().nullish(),
  processing_fee: z.array(fee).nullish(),
});
const dispute = z.object({
  id: z.string().min(1).nullish(),
  dispute_id: z.string().min(1).nullish(),
  amount_money: money,
  reason: z.string(),
  state: z.string(),
  version: z.number().int().nullish(),
  due_at: z.string().nullish(),
  created_at: z.string().nullish(),
  disputed_payment: z.object({ payment_id: z.string() }),
});
const disputeAnswer = z.object({ dispute });
const disputesAnswer = z.object({ disputes: z.array(dispute).nullish(), cursor: z.string().nullish() });
const paymentAnswer = z.object({ payment });
const refundAnswer = z.object({ refund });
const paymentsAnswer = z.object({ payments: z.array(payment).nullish(), cursor: z.string().nullish() });
const refundsAnswer = z.object({ refunds: z.array(refund).nullish(), cursor: z.string().nullish() });
const location = z.object({
  id: z.string(),
  name: z.string().nullish(),
  status: z.string().nullish(),
  currency: z.string().nullish(),
  capabilities: z.array(z.string()).nullish(),
});
const locationAnswer = z.object({ location });
const emptyAnswer = z.object({});
const errorAnswer = z.object({
  errors: z.array(z.object({ code: z.string(), detail: z.string().nullish() })).min(1),
  /** The failed payment, which comes with a declined card. */
  payment: z.object({ card_details: payment.shape.card_details }).nullish().catch(undefined),
});

export type SquarePayment = z.infer<typeof payment>;
export type SquareDispute = z.infer<typeof dispute>;
export type SquareCardOnFile = z.infer<typeof cardOnFile>;
export type SquareFee = z.infer<typeof fee>;
export type SquareRefund = z.infer<typeof refund>;
export type SquareLocation = z.infer<typeof location>;

/** Square refused a request. Anything else that goes wrong is not a clear answer, and any other error. */
export class SquareRefusalError extends Error {
  readonly statusCode: number;
  readonly code: string;
  readonly detail: string;
  readonly cardFingerprint: string | null;

  constructor(statusCode: number, { errors, payment }: z.infer<typeof errorAnswer>) {
    const [first] = errors;
    super(`Square answered ${statusCode} ${first?.code}`);
    this.name = 'SquareRefusalError';
    this.statusCode = statusCode;
    this.code = first?.code ?? 'UNKNOWN';
    this.detail = first?.detail ?? '';
    this.cardFingerprint = payment?.card_details?.card?.fingerprint ?? null;
  }
}

/** How long to wait for an answer, and what ends the wait earlier. */
export type SquareWait = { readonly timeoutS: number; readonly signal: AbortSignal };

export type CreatePaymentRequest = {
  readonly idempotencyKey: string;
  readonly sourceId: string;
  /** Cents. */
  readonly amount: number;
  readonly referenceId: string;
  readonly verificationToken: string | null;
  /** The customer whose card on file the source is; null for a token of the card form. */
  readonly customerId: string | null;
};
export type CreateCardRequest = {
  readonly idempotencyKey: string;
  /** A payment that the card has paid in the last 24 hours. */
  readonly paymentId: string;
  readonly customerId: string;
  readonly referenceId: string;
};
export type UpdatePaymentRequest = {
  readonly idempotencyKey: string;
  readonly id: string;
  /** Cents. */
  readonly amount: number;
  readonly versionToken: string;
};
export type RefundPaymentRequest = {
  readonly idempotencyKey: string;
  readonly paymentId: string;
  /** Cents. */
  readonly amount: number;
  readonly reason: string;
};

/** A page of the records from `begin` until before `end`. */
export type ListRequest = { readonly begin: Date; readonly end: Date; readonly cursor?: string | undefined };

/** The calls of Square's Payments, Refunds, Disputes, Customers and Cards API that we use. Each can be repeated safely. */
export type SquareClient = {
  /** Holds an amount. */
  createPayment(request: CreatePaymentRequest, wait: SquareWait): Promise<SquarePayment>;
  getPayment(id: string, wait: SquareWait): Promise<SquarePayment>;
  /** Lowers a hold. */
  updatePayment(request: UpdatePaymentRequest, wait: SquareWait): Promise<SquarePayment>;
  completePayment(id: string, versionToken: string | null, wait: SquareWait): Promise<SquarePayment>;
  cancelPayment(id: string, wait: SquareWait): Promise<SquarePayment>;
  cancelByKey(idempotencyKey: string, wait: SquareWait): Promise<void>;
  refundPayment(request: RefundPaymentRequest, wait: SquareWait): Promise<SquareRefund>;
  getRefund(id: string, wait: SquareWait): Promise<SquareRefund>;
  /** A page of the location's payments, by when they were made, captured or not. */
  listPayments(request: ListRequest, wait: SquareWait): Promise<z.infer<typeof paymentsAnswer>>;
  listRefunds(request: ListRequest, wait: SquareWait): Promise<z.infer<typeof refundsAnswer>>;
  /** A page of the location's disputes. */
  listDisputes(cursor: string | undefined, wait: SquareWait): Promise<z.infer<typeof disputesAnswer>>;
  getDispute(id: string, wait: SquareWait): Promise<SquareDispute>;
  createEvidenceText(
    request: { readonly idempotencyKey: string; readonly disputeId: string; readonly text: string },
    wait: SquareWait,
  ): Promise<void>;
  /** Once only: the caller reads the dispute before. */
  submitEvidence(disputeId: string, wait: SquareWait): Promise<SquareDispute>;
  acceptDispute(disputeId: string, wait: SquareWait): Promise<SquareDispute>;
  createCustomer(
    request: { readonly idempotencyKey: string; readonly referenceId: string; readonly name: string },
    wait: SquareWait,
  ): Promise<string>;
  deleteCustomer(id: string, wait: SquareWait): Promise<void>;
  /** Saves the card of a payment on file. */
  createCard(request: CreateCardRequest, wait: SquareWait): Promise<SquareCardOnFile>;
  /** Afterwards the card cannot be charged any more. */
  disableCard(id: string, wait: SquareWait): Promise<void>;
  /** The location that payments are made at. Changes nothing. */
  getLocation(wait: SquareWait): Promise<SquareLocation>;
  /** Resolves with any answer to a payment that Square refuses because everything is missing. It has no effect. */
  probe(signal: AbortSignal): Promise<void>;
};

type Call = { readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'; readonly path: string; readonly body?: object };

export function createSquareClient({ accessToken, baseUrl, locationId }: SquareConfig): SquareClient {
  const send = createSender(baseUrl, accessToken);
  const request = async <T>(schema: z.ZodType<T>, call: Call, wait: SquareWait): Promise<T> => {
    const { status, text } = await send(call, wait);
    const answer: unknown = JSON.parse(text);
    if (status >= 200 && status < 300) return schema.parse(answer);
    throw new SquareRefusalError(status, errorAnswer.parse(answer));
  };
  const requestPayment = async (call: Call, wait: SquareWait) => (await request(paymentAnswer, call, wait)).payment;
  const requestRefund = async (call: Call, wait: SquareWait) => (await request(refundAnswer, call, wait)).refund;
  const requestDispute = async (call: Call, wait: SquareWait) => (await request(disputeAnswer, call, wait)).dispute;
  return {
    createPayment: (hold, wait) => requestPayment(post('/v2/payments', toHoldBody(hold, locationId)), wait),
    getPayment: (id, wait) => requestPayment(get(pathOf(id)), wait),
    updatePayment: (update, wait) =>
      requestPayment({ method: 'PUT', path: pathOf(update.id), body: toUpdateBody(update) }, wait),
    completePayment: (id, versionToken, wait) =>
      requestPayment(post(`${pathOf(id)}/complete`, versionToken ? { version_token: versionToken } : {}), wait),
    cancelPayment: (id, wait) => requestPayment(post(`${pathOf(id)}/cancel`), wait),
    cancelByKey: async (idempotencyKey, wait) => {
      await request(emptyAnswer, post('/v2/payments/cancel', { idempotency_key: idempotencyKey }), wait);
    },
    refundPayment: (repayment, wait) => requestRefund(post('/v2/refunds', toRefundBody(repayment)), wait),
    getRefund: (id, wait) => requestRefund(get(`/v2/refunds/${encodeURIComponent(id)}`), wait),
    listPayments: (list, wait) => request(paymentsAnswer, get(`/v2/payments?${queryOf(list, locationId)}`), wait),
    listRefunds: (list, wait) => request(refundsAnswer, get(`/v2/refunds?${queryOf(list, locationId)}`), wait),
    listDisputes: (cursor, wait) => {
      const query = new URLSearchParams({ location_id: locationId, ...(cursor ? { cursor } : {}) });
      return request(disputesAnswer, get(`/v2/disputes?${query}`), wait);
    },
    getDispute: (id, wait) => requestDispute(get(disputePathOf(id)), wait),
    createEvidenceText: async ({ idempotencyKey, disputeId, text }, wait) => {
      const body = { idempotency_key: idempotencyKey, evidence_type: 'GENERIC_EVIDENCE', evidence_text: text };
      await request(emptyAnswer, post(`${disputePathOf(disputeId)}/evidence-text`, body), wait);
    },
    submitEvidence: (id, wait) => requestDispute(post(`${disputePathOf(id)}/submit-evidence`), wait),
    acceptDispute: (id, wait) => requestDispute(post(`${disputePathOf(id)}/accept`), wait),
    createCustomer: async ({ idempotencyKey, referenceId, name }, wait) => {
      const body = { idempotency_key: idempotencyKey, reference_id: referenceId, given_name: name };
      return (await request(customerAnswer, post('/v2/customers', body), wait)).customer.id;
    },
    deleteCustomer: async (id, wait) => {
      await request(emptyAnswer, { method: 'DELETE', path: `/v2/customers/${encodeURIComponent(id)}` }, wait);
    },
    createCard: async (saved, wait) => (await request(cardAnswer, post('/v2/cards', toCardBody(saved)), wait)).card,
    disableCard: async (id, wait) => {
      await request(emptyAnswer, post(`/v2/cards/${encodeURIComponent(id)}/disable`), wait);
    },
    getLocation: async (wait) =>
      (await request(locationAnswer, get(`/v2/locations/${encodeURIComponent(locationId)}`), wait)).location,
    probe: async (signal) => void (await send(post('/v2/payments', {}), { signal })),
  };
}

const post = (path: string, body?: object): Call => ({ method: 'POST', path, ...(body ? { body } : {}) });
const get = (path: string): Call => ({ method: 'GET', path });
const pathOf = (id: string) => `/v2/payments/${encodeURIComponent(id)}`;
const disputePathOf = (id: string) => `/v2/disputes/${encodeURIComponent(id)}`;
const queryOf = ({ begin, end, cursor }: ListRequest, locationId: string) =>
  new URLSearchParams({
    location_id: locationId,
    begin_time: begin.toISOString(),
    end_time: end.toISOString(),
    ...(cursor ? { cursor } : {}),
  });

const toUsd = (amount: number) => ({ amount, currency: CURRENCY });

const toHoldBody = (request: CreatePaymentRequest, locationId: string) => ({
  idempotency_key: request.idempotencyKey,
  source_id: request.sourceId,
  amount_money: toUsd(request.amount),
  autocomplete: false,
  reference_id: request.referenceId,
  location_id: locationId,
  ...(request.verificationToken ? { verification_token: request.verificationToken } : {}),
  ...(request.customerId ? { customer_id: request.customerId } : {}),
});

const toCardBody = ({ idempotencyKey, paymentId, customerId, referenceId }: CreateCardRequest) => ({
  idempotency_key: idempotencyKey,
  source_id: paymentId,
  card: { customer_id: customerId, reference_id: referenceId },
});

const toUpdateBody = ({ idempotencyKey, amount, versionToken }: UpdatePaymentRequest) => ({
  idempotency_key: idempotencyKey,
  payment: { amount_money: toUsd(amount), version_token: versionToken },
});

const toRefundBody = ({ idempotencyKey, paymentId, amount, reason }: RefundPaymentRequest) => ({
  ...{ idempotency_key: idempotencyKey, payment_id: paymentId, amount_money: toUsd(amount), reason },
});

type Answer = { readonly status: number; readonly text: string };
type Wait = { readonly timeoutS?: number; readonly signal: AbortSignal };

/**
 * Returns a function that sends one request on a kept connection, and once more if that was closed meanwhile. It follows no
 * redirect.
 */
function createSender(baseUrl: string, accessToken: string): (call: Call, wait: Wait) => Promise<Answer> {
  const base = new URL(baseUrl);
  const isHttps = base.protocol === 'https:';
  const [Agent, startRequest] = isHttps ? [HttpsAgent, httpsRequest] : [HttpAgent, httpRequest];
  const { hostname, port } = base;
  const to = {
    protocol: base.protocol,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    ...(port === '' ? {} : { port }),
    agent: new Agent({ keepAlive: true, timeout: IDLE_CONNECTION_MS }),
  };
  const prefix = base.pathname.replace(/\/$/, '');
  const headers = { authorization: `Bearer ${accessToken}`, 'square-version': SQUARE_VERSION, 'user-agent': 'rubadub' };
  const send = (call: Call, wait: Wait, mayRepeat: boolean): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { method, path, body } = call;
      const { timeoutS, signal } = wait;
      const sentAt = performance.now();
      const text = body === undefined ? '' : JSON.stringify(body);
      const bodyHeaders = {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(method === 'GET' ? {} : { 'content-length': Buffer.byteLength(text) }),
      };
      const options = { ...to, method, path: prefix + path, headers: { ...headers, ...bodyHeaders }, signal };
      const request = startRequest(options, (response) => {
        readText(response).then((received) => resolve({ status: response.statusCode ?? 0, text: received }), reject);
      });
      const endLate = () => request.destroy(new Error(`Square did not answer within ${timeoutS} s`));
      const timer = timeoutS === undefined ? undefined : setTimeout(endLate, timeoutS * 1000);
      request.on('close', () => clearTimeout(timer));
      request.on('error', (error: NodeJS.ErrnoException) => {
        // Square closed the idle connection just as we used it. A later reset comes from a request that it has read.
        const isStale = request.reusedSocket && error.code === 'ECONNRESET' && performance.now() - sentAt < STALE_MS;
        if (isStale && mayRepeat) send(call, wait, false).then(resolve, reject);
        else reject(error);
      });
      request.end(text);
    });
  return (call, wait) => send(call, wait, true);
}

function readText(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      text += chunk;
      if (text.length > MAX_RESPONSE_LENGTH) response.destroy(new Error('the response is too long'));
    });
    response.on('end', () => resolve(text));
    response.on('error', reject);
    // A connection that ends in the middle of a response.
    response.on('close', () => reject(new Error('the response ended early')));
  });
}
