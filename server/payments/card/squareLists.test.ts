import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { CardNetworkUnavailableError } from './cards.ts';
import { createSquareCards, type SquareCards } from './square.ts';

const BOUNDS = { begin: new Date('2026-11-10T00:00:00Z'), end: new Date('2026-11-11T00:00:00Z') };
const AT = '2026-11-10T12:00:00Z';
const MONEY = { amount: 2683, currency: 'USD' };

let answer: object;
let cards: SquareCards;
const server = createServer((_request, response) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer)),
);
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  cards = createSquareCards(() => ({ accessToken: 't', applicationId: 'a', locationId: 'L1', baseUrl, webSdkUrl: '' }));
});
afterEach(() => cards.circuit.stop());

const payment = (more: object) => ({
  ...{ id: 'p1', status: 'COMPLETED', total_money: MONEY, created_at: AT },
  ...{ card_details: { card_payment_timeline: { captured_at: AT } }, ...more },
});
const refund = (more: object) => ({
  ...{ id: 'r1', status: 'COMPLETED', payment_id: 'p1', amount_money: MONEY, created_at: AT, ...more },
});
const whyNot = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => expect.unreachable('it was read'),
    (thrown: unknown) => thrown as CardNetworkUnavailableError,
  );
  expect(error).toBeInstanceOf(CardNetworkUnavailableError);
  return (error.cause as Error).message;
};

test('a payment is on the day of its time, whatever time zone that is written in', async () => {
  const captured_at = '2026-11-11T04:59:59.999+05:00';
  answer = { payments: [payment({ card_details: { card_payment_timeline: { captured_at } } })] };
  expect((await cards.lists.charges(BOUNDS)).items).toMatchObject([{ squareId: 'p1', amount: 2683 }]);
  const next = '2026-11-11T05:00:00+05:00';
  answer = { payments: [payment({ card_details: { card_payment_timeline: { captured_at: next } } })] };
  expect((await cards.lists.charges(BOUNDS)).items).toEqual([]);
});

test('a payment or a refund without a time that can be read is not left out of every day', async () => {
  answer = { payments: [payment({ card_details: { card_payment_timeline: { captured_at: 'noon' } } })] };
  expect(await whyNot(cards.lists.charges(BOUNDS))).toBe('the card network gives the time "noon"');
  answer = { payments: [payment({ card_details: null, created_at: null })] };
  expect(await whyNot(cards.lists.charges(BOUNDS))).toBe('a payment has no time');
  answer = { refunds: [refund({ created_at: 'noon' })] };
  expect(await whyNot(cards.lists.refunds(BOUNDS))).toBe('the card network gives the time "noon"');
});

test('amounts of another currency are not added to dollars', async () => {
  const euros = { amount: 2683, currency: 'EUR' };
  answer = { payments: [payment({ total_money: euros })] };
  expect(await whyNot(cards.lists.charges(BOUNDS))).toBe('a payment is in EUR, and not in USD');
  answer = { refunds: [refund({ amount_money: euros })] };
  expect(await whyNot(cards.lists.refunds(BOUNDS))).toBe('a payment is in EUR, and not in USD');
});
