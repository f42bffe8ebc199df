import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SquareSandbox, startSquareSandbox } from '../../../testing/squareSandbox.ts';
import type { SquareConfig } from '../../config/config.ts';
import { CardNetworkUnavailableError, type Cards, type HeldPayment, type HoldRequest } from './cards.ts';
import { createSquareCards } from './square.ts';

const { SQUARE_ACCESS_TOKEN, SQUARE_APPLICATION_ID = '', SQUARE_LOCATION_ID = '' } = process.env;
// Never Square's production: these tests move money.
const hasSquareSandbox = SQUARE_ACCESS_TOKEN && SQUARE_APPLICATION_ID.startsWith('sandbox-') && SQUARE_LOCATION_ID;
const SQUARE_TARGETS = hasSquareSandbox ? ['the stand-in', "Square's sandbox"] : ['the stand-in'];

describe.each(SQUARE_TARGETS)('the Square adapter with %s', (network) => {
  let sandbox: SquareSandbox | undefined;
  let config: SquareConfig;
  let cards: Cards;

  beforeAll(async () => {
    sandbox = network === 'the stand-in' ? await startSquareSandbox() : undefined;
    const common = { applicationId: SQUARE_APPLICATION_ID, webSdkUrl: '' };
    config = sandbox
      ? { ...common, accessToken: 'any', locationId: 'L1', baseUrl: sandbox.url }
      : {
          ...common,
          accessToken: SQUARE_ACCESS_TOKEN ?? '',
          locationId: SQUARE_LOCATION_ID,
          baseUrl: 'https://connect.squareupsandbox.com',
        };
    cards = createSquareCards(() => config);
  });
  afterAll(() => sandbox?.stop());

  const newHoldRequest = (overrides: Partial<HoldRequest> = {}): HoldRequest => ({
    orderId: randomUUID(),
    amount: 2683,
    sourceId: 'cnon:card-nonce-ok',
    verificationToken: null,
    customerId: null,
    ...overrides,
  });
  const createHold = async (request: HoldRequest): Promise<HeldPayment> => {
    const hold = await cards.hold(request);
    if (hold.kind !== 'held') throw new Error(`not held: ${hold.reason}`);
    return {
      orderId: request.orderId,
      amount: request.amount,
      squareId: hold.squareId,
      versionToken: hold.versionToken,
    };
  };
  const find = async ({ squareId }: HeldPayment) => cards.findPayment(squareId ?? '');

  test('creates one hold when a request is repeated', async () => {
    const request = newHoldRequest();
    const [first, again] = [await createHold(request), await createHold(request)];
    expect(again.squareId).toBe(first.squareId);
    expect(await find(first)).toEqual({ status: 'APPROVED', amount: 2683, refunded: 0 });
  });

  test('treats a reused key with another body as unclear, so that the caller retries', async () => {
    const request = newHoldRequest();
    await createHold(request);
    await expect(cards.hold({ ...request, amount: 1 })).rejects.toBeInstanceOf(CardNetworkUnavailableError);
  });

  test.each([
    ['cnon:card-nonce-declined', /declined/],
    ['cnon:card-nonce-rejected-cvv', /CVV/],
    ['cnon:card-nonce-rejected-postalcode', /ZIP/],
    ['cnon:card-nonce-rejected-expiration', /expiration/],
    ['cnon:card-nonce-already-used', /already used/],
  ])('explains why %s is declined', async (sourceId, message) => {
    expect(await cards.hold(newHoldRequest({ sourceId }))).toMatchObject({
      kind: 'declined',
      reason: expect.stringMatching(message),
    });
  });

  test('captures once and reports success again when the capture is repeated', async () => {
    const hold = await createHold(newHoldRequest());
    expect(await cards.capture(hold)).toEqual({ kind: 'captured', amount: 2683 });
    expect(await cards.capture(hold)).toEqual({ kind: 'captured', amount: 2683 });
    expect(await cards.capture({ ...hold, versionToken: null })).toEqual({ kind: 'captured', amount: 2683 });
    expect(await find(hold)).toMatchObject({ status: 'COMPLETED', amount: 2683 });
    expect(await cards.release(hold)).toMatchObject({ kind: 'refused', reason: expect.stringContaining('COMPLETED') });
  });

  test('captures a hold whose version is stale, but not one with another amount', async () => {
    const hold = { ...(await createHold(newHoldRequest())), versionToken: 'stale' };
    expect(await cards.capture({ ...hold, amount: 1 })).toMatchObject({ kind: 'refused' });
    expect(await find(hold)).toMatchObject({ status: 'APPROVED' });
    expect(await cards.capture(hold)).toEqual({ kind: 'captured', amount: 2683 });
  });

  test('captures a part of a hold, which is lowered first, also when it is repeated or its version is stale', async () => {
    const hold = { ...(await createHold(newHoldRequest())), amount: 1000, held: 2683 };
    expect(await cards.capture({ ...hold, versionToken: 'stale' })).toEqual({ kind: 'captured', amount: 1000 });
    expect(await cards.capture(hold)).toEqual({ kind: 'captured', amount: 1000 });
    expect(await find(hold)).toEqual({ status: 'COMPLETED', amount: 1000, refunded: 0, fee: 59 });
  });

  test('never captures less than it is asked to', async () => {
    const hold = await createHold(newHoldRequest());
    expect(await cards.capture({ ...hold, amount: 3000, held: 3574 })).toMatchObject({ kind: 'refused' });
    expect(await find(hold)).toMatchObject({ status: 'APPROVED', amount: 2683 });
  });

  test('captures all of a hold that cannot be lowered, and says how much that was', async () => {
    const request = newHoldRequest({ sourceId: 'cnon:gift-card-nonce-ok' });
    const hold = { ...(await createHold(request)), amount: 1000, held: 2683 };
    const captured = await cards.capture(hold);
    expect(captured.kind).toBe('captured');
    if (sandbox) expect(captured).toEqual({ kind: 'captured', amount: 2683 });
    expect(await cards.capture(hold)).toEqual(captured);
  });

  test('saves the card of a payment, charges the saved card, and nothing more once it is removed', async () => {
    const hold = await createHold(newHoldRequest({ sourceId: 'cnon:card-nonce-ok' }));
    const [bud, id] = [randomUUID(), randomUUID()];
    const customerId = await cards.onFile.createCustomer(bud);
    expect(await cards.onFile.createCustomer(bud)).toBe(customerId);
    const request = { id, customerId, paymentId: hold.squareId ?? '' };
    const saved = await cards.onFile.save(request);
    if (saved.kind !== 'saved') throw new Error(`not saved: ${saved.reason}`);
    expect(saved).toMatchObject({ brand: 'VISA', last4: '5858', expMonth: expect.any(Number) });
    expect(await cards.onFile.save(request)).toEqual(saved);
    const again = newHoldRequest({ sourceId: saved.squareCardId, customerId });
    expect(await find(await createHold(again))).toMatchObject({ status: 'APPROVED', amount: 2683 });
    const stranger = await cards.onFile.createCustomer(randomUUID());
    expect(await cards.hold(newHoldRequest({ sourceId: saved.squareCardId, customerId: stranger }))).toMatchObject({
      kind: 'declined',
    });
    await cards.onFile.remove(saved.squareCardId);
    await cards.onFile.remove(saved.squareCardId);
    expect(await cards.hold(newHoldRequest({ sourceId: saved.squareCardId, customerId }))).toMatchObject({
      kind: 'declined',
    });
    for (const one of [customerId, customerId, stranger]) await cards.onFile.deleteCustomer(one);
  });

  test('refuses to save a card of a payment that does not exist', async () => {
    const customerId = await cards.onFile.createCustomer(randomUUID());
    expect(await cards.onFile.save({ id: randomUUID(), customerId, paymentId: 'none' })).toMatchObject({
      kind: 'refused',
    });
    await cards.onFile.deleteCustomer(customerId);
  });

  test('allows a release to be repeated and refuses a capture after it', async () => {
    const hold = await createHold(newHoldRequest());
    expect(await cards.release(hold)).toEqual({ kind: 'released' });
    expect(await cards.release(hold)).toEqual({ kind: 'released' });
    expect(await cards.capture(hold)).toMatchObject({ kind: 'refused', reason: expect.stringContaining('CANCELED') });
  });

  test('releases a hold by its key, and succeeds when there is no hold', async () => {
    const request = newHoldRequest();
    const hold = await createHold(request);
    expect(await cards.release({ ...hold, squareId: null })).toEqual({ kind: 'released' });
    expect(await find(hold)).toMatchObject({ status: 'CANCELED' });
    expect(await cards.release({ ...hold, orderId: randomUUID(), squareId: null })).toEqual({ kind: 'released' });
  });

  test('refunds once per key, in parts, and never more than what is left', async () => {
    const hold = await createHold(newHoldRequest());
    await cards.capture(hold);
    const request = { refundId: randomUUID(), squareId: hold.squareId ?? '', amount: 1000, reason: 'a torn shirt' };
    const first = await cards.refund({ ...request, squareRefundId: null });
    if (first.kind === 'refused') throw new Error(first.reason);
    expect(await cards.refund({ ...request, squareRefundId: null })).toMatchObject({
      squareRefundId: first.squareRefundId,
    });
    if (sandbox)
      expect((await cards.refund({ ...request, squareRefundId: first.squareRefundId })).kind).toBe('refunded');
    const tooMuch = { ...request, refundId: randomUUID(), amount: 1684, squareRefundId: null };
    expect((await cards.refund(tooMuch)).kind).toBe('refused');
    expect(await find(hold)).toMatchObject({ refunded: 1000 });
  });

  test('refuses payments that the card network does not know', async () => {
    const unknown = { orderId: randomUUID(), amount: 1, squareId: 'unknown', versionToken: null };
    expect((await cards.capture(unknown)).kind).toBe('refused');
    expect((await cards.release(unknown)).kind).toBe('refused');
    expect(await cards.findPayment('unknown')).toBeUndefined();
  });
});
