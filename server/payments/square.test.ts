import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SquareSandbox, startSquareSandbox } from '../../testing/squareSandbox.ts';
import type { SquareConfig } from '../config/config.ts';
import { CardNetworkUnavailableError, type Cards, type HeldPayment, type HoldRequest } from './cards.ts';
import { createSquareCards } from './square.ts';

const { SQUARE_ACCESS_TOKEN, SQUARE_APPLICATION_ID = '', SQUARE_LOCATION_ID = '' } = process.env;
// Only ever Square's own sandbox: these tests move money.
const hasSquareSandbox = SQUARE_ACCESS_TOKEN && SQUARE_APPLICATION_ID.startsWith('sandbox-') && SQUARE_LOCATION_ID;
const SQUARE_TARGETS = hasSquareSandbox ? ['the stand-in', "Square's sandbox"] : ['the stand-in'];

describe.each(SQUARE_TARGETS)('the adapter and %s agree', (network) => {
  let bench: SquareSandbox | undefined;
  let config: SquareConfig;
  let cards: Cards;

  beforeAll(async () => {
    bench = network === 'the stand-in' ? await startSquareSandbox() : undefined;
    const at = { applicationId: SQUARE_APPLICATION_ID, webSdkUrl: '' };
    config = bench
      ? { ...at, accessToken: 'any', locationId: 'L1', baseUrl: bench.url }
      : {
          ...at,
          accessToken: SQUARE_ACCESS_TOKEN ?? '',
          locationId: SQUARE_LOCATION_ID,
          baseUrl: 'https://connect.squareupsandbox.com',
        };
    cards = createSquareCards(() => config);
  });
  afterAll(() => bench?.stop());

  const ask = (more: Partial<HoldRequest> = {}): HoldRequest => ({
    orderId: randomUUID(),
    amount: 2683,
    sourceId: 'cnon:card-nonce-ok',
    verificationToken: null,
    ...more,
  });
  const held = async (asked: HoldRequest): Promise<HeldPayment> => {
    const hold = await cards.hold(asked);
    if (hold.kind !== 'held') throw new Error(`not held: ${hold.reason}`);
    return { orderId: asked.orderId, amount: asked.amount, squareId: hold.squareId, versionToken: hold.versionToken };
  };
  const seen = async ({ squareId }: HeldPayment) => cards.findPayment(squareId ?? '');

  test('a hold asked for twice is one hold', async () => {
    const asked = ask();
    const [first, again] = [await held(asked), await held(asked)];
    expect(again.squareId).toBe(first.squareId);
    expect(await seen(first)).toEqual({ status: 'APPROVED', amount: 2683, refunded: 0 });
  });

  test("a key with another body is nobody's yes or no", async () => {
    const asked = ask();
    await held(asked);
    await expect(cards.hold({ ...asked, amount: 1 })).rejects.toBeInstanceOf(CardNetworkUnavailableError);
  });

  test.each([
    ['cnon:card-nonce-declined', /declined/],
    ['cnon:card-nonce-rejected-cvv', /CVV/],
    ['cnon:card-nonce-rejected-postalcode', /ZIP/],
    ['cnon:card-nonce-rejected-expiration', /expiration/],
    ['cnon:card-nonce-already-used', /used already/],
  ])('%s is declined in words', async (sourceId, words) => {
    expect(await cards.hold(ask({ sourceId }))).toMatchObject({
      kind: 'declined',
      reason: expect.stringMatching(words),
    });
  });

  test('a capture is made once, and says so whoever asks again', async () => {
    const hold = await held(ask());
    expect(await cards.capture(hold)).toEqual({ kind: 'captured' });
    expect(await cards.capture(hold)).toEqual({ kind: 'captured' });
    expect(await cards.capture({ ...hold, versionToken: null })).toEqual({ kind: 'captured' });
    expect(await seen(hold)).toMatchObject({ status: 'COMPLETED', amount: 2683 });
    expect(await cards.release(hold)).toMatchObject({ kind: 'refused', reason: expect.stringContaining('COMPLETED') });
  });

  test('a stale version is no obstacle, another amount is', async () => {
    const hold = { ...(await held(ask())), versionToken: 'stale' };
    expect(await cards.capture({ ...hold, amount: 1 })).toMatchObject({ kind: 'refused' });
    expect(await seen(hold)).toMatchObject({ status: 'APPROVED' });
    expect(await cards.capture(hold)).toEqual({ kind: 'captured' });
  });

  test('a release may be repeated, and nothing is captured after it', async () => {
    const hold = await held(ask());
    expect(await cards.release(hold)).toEqual({ kind: 'released' });
    expect(await cards.release(hold)).toEqual({ kind: 'released' });
    expect(await cards.capture(hold)).toMatchObject({ kind: 'refused', reason: expect.stringContaining('CANCELED') });
  });

  test('a hold that is only suspected is released by its key, also when there is none', async () => {
    const asked = ask();
    const hold = await held(asked);
    expect(await cards.release({ ...hold, squareId: null })).toEqual({ kind: 'released' });
    expect(await seen(hold)).toMatchObject({ status: 'CANCELED' });
    expect(await cards.release({ ...hold, orderId: randomUUID(), squareId: null })).toEqual({ kind: 'released' });
  });

  test('a refund is made once under its key, in parts, and never above what is left', async () => {
    const hold = await held(ask());
    await cards.capture(hold);
    const asked = { refundId: randomUUID(), squareId: hold.squareId ?? '', amount: 1000, reason: 'a torn shirt' };
    const first = await cards.refund({ ...asked, squareRefundId: null });
    if (first.kind === 'refused') throw new Error(first.reason);
    expect(await cards.refund({ ...asked, squareRefundId: null })).toMatchObject({
      squareRefundId: first.squareRefundId,
    });
    if (bench) expect((await cards.refund({ ...asked, squareRefundId: first.squareRefundId })).kind).toBe('refunded');
    const tooMuch = { ...asked, refundId: randomUUID(), amount: 1684, squareRefundId: null };
    expect((await cards.refund(tooMuch)).kind).toBe('refused');
    expect(await seen(hold)).toMatchObject({ refunded: 1000 });
  });

  test('what the card network does not know is refused, not retried', async () => {
    const unknown = { orderId: randomUUID(), amount: 1, squareId: 'nobody', versionToken: null };
    expect((await cards.capture(unknown)).kind).toBe('refused');
    expect((await cards.release(unknown)).kind).toBe('refused');
    expect(await cards.findPayment('nobody')).toBeUndefined();
  });
});
