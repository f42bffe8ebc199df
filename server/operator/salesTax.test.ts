import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { nextLocalDate } from '../../domain/localDays.ts';
import { SETTING_DEFAULTS } from '../../domain/settings.ts';
import { expectFailure } from '../../testing/checkedClient.ts';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import { createOrderInStatus, createParticipants, type Participants, placeOrder } from '../../testing/orderSteps.ts';
import { openTestServer, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';

const REASON = 'The state has changed it';
const { timeZone } = SETTING_DEFAULTS;

describe.each(RULE_DATABASES)('sales tax, on %s', (kind) => {
  let testServer: TestServer;
  let people: Participants;
  let ada: TestOperator;
  beforeEach(async () => {
    await testServer?.close();
    testServer = await openTestServer(kind, { isClockStopped: true });
    people = await createParticipants(testServer);
    ada = await createOperator(testServer);
  });
  afterAll(() => testServer?.close());

  type Item = Parameters<TestOperator['api']['setPrice']>[0]['params']['id'];
  /** Sets prices from tomorrow on, and passes the night. */
  const setPrices = async (prices: Partial<Record<Item, number>>) => {
    const grace = await createOperator(testServer);
    for (const [id, value] of Object.entries(prices)) {
      const asked = await ada.api.setPrice({ params: { id: id as Item }, body: { value, reason: REASON } });
      await grace.api.approve({ params: { id: asked.approvalId ?? '' }, body: { reason: 'I agree' } });
    }
    const { from } = await ada.api.previewPrice({ query: { item: 'taxes', value: '8' } });
    testServer.advanceClock(Date.parse(from) - testServer.now().getTime());
    ada = await createOperator(testServer);
  };
  const priceOf = async (item: Item) => (await ada.api.listPrices()).items.find((one) => one.item === item);
  const readTaxes = async (loadSize: 'Small' | 'Medium' | 'Large') => {
    const body = { loadSize, selfDelivery: false, selfPickup: false };
    return (await people.bud.api.calculatePrice({ body })).taxes;
  };

  test.each([
    [8.875, 12.2],
    [6.625, 9.11],
    [7.001, 9.63],
    [8.25, 11.34],
  ])('a rate of %s percent is kept to a thousandth, and is taken of the load and the fee', async (rate, taxes) => {
    await setPrices({ taxes: rate, 'wash-and-fold': 25 });
    expect(await priceOf('taxes')).toMatchObject({ unit: 'percent', value: rate });
    expect((await people.bud.api.readConfig()).prices.taxPercent).toBe(rate);
    // 125.00 for the load, and 12.50 for the fee.
    expect(await readTaxes('Medium')).toBe(taxes);
  });

  test('a ten-thousandth of a percent is refused, and the platform fee takes thousandths as well', async () => {
    const ask = (id: Item, value: number) => ada.api.setPrice({ params: { id }, body: { value, reason: REASON } });
    for (const id of ['taxes', 'platform-fee'] as const) {
      const { status, message } = await expectFailure(ask(id, 8.8755));
      expect([status, String(message)]).toEqual([400, expect.stringContaining('At most 3 decimals')]);
    }
    expect(String((await expectFailure(ask('pickup', 5.875))).message)).toContain('At most 2 decimals');
    await setPrices({ 'platform-fee': 9.875 });
    expect(await priceOf('platform-fee')).toMatchObject({ value: 9.875 });
  });

  test('a zone has a rate to a thousandth of a percent', async () => {
    const corners = [
      { latitude: 1, longitude: 1 },
      { latitude: 1, longitude: 1.1 },
      { latitude: 1.1, longitude: 1 },
    ];
    const grace = await createOperator(testServer);
    const approve = (id: string | null) => grace.api.approve({ params: { id: id ?? '' }, body: { reason: 'I agree' } });
    const { approvalId } = await ada.api.addZone({ body: { name: 'North', corners, reason: REASON } });
    await approve(approvalId);
    await setPrices({});
    const [zone] = (await ada.api.listZones()).items;
    const prices = [{ item: 'taxes' as const, value: 6.625 }];
    const params = { id: zone?.id ?? '' };
    const { sizes } = await ada.api.previewZonePrices({
      query: { zone: params.id, taxes: '6.625', 'wash-and-fold': '25' },
    });
    expect(sizes[1]?.after.taxes).toBe(9.11);
    const priced = await ada.api.setZonePrices({ params, body: { prices, reason: REASON } });
    const [henry] = [await createOperator(testServer)];
    await henry.api.approve({ params: { id: priced.approvalId ?? '' }, body: { reason: 'I agree' } });
    await setPrices({});
    expect((await ada.api.listZones()).items[0]?.prices).toEqual(prices);
  });

  test('taxes are rounded once for an order, or for each line of it, as the town has set', async () => {
    await setPrices({ taxes: 8.875 });
    expect(await priceOf('tax-rounding')).toMatchObject({ unit: 'rounding', value: 0 });
    // 8.875 % of 5.50 is 0.488.
    expect(await readTaxes('Small')).toBe(0.49);
    const placedBefore = await placeOrder(people, { loadSize: 'Small' });
    await setPrices({ 'tax-rounding': 1 });
    // 8.875 % of 5.00 is 0.444, and of 0.50 it is 0.044.
    expect(await readTaxes('Small')).toBe(0.48);
    expect((await people.bud.api.readConfig()).prices.taxRounding).toBe('line');
    expect((await people.bud.api.readOrder({ params: { id: placedBefore.id } })).price.taxes).toBe(0.49);
    const { message } = await expectFailure(
      ada.api.setPrice({ params: { id: 'tax-rounding' }, body: { value: 2, reason: REASON } }),
    );
    expect(String(message)).toContain('0 for the whole order, or 1 for each line');
  });

  test('the receipt and the export for the tax office name the rate of each order', async () => {
    const [year = ''] = nextLocalDate(testServer.now(), timeZone).split('-');
    const first = await createOrderInStatus(people, 'Completed');
    await setPrices({ taxes: 8.875, 'wash-and-fold': 25 });
    const { id } = await createOrderInStatus(people, 'Completed');
    expect(await people.bud.api.readReceipt({ params: { id: first.id } })).toMatchObject({ taxPercent: 8 });
    expect(await people.bud.api.readReceipt({ params: { id } })).toMatchObject({ taxPercent: 8.875 });
    await waitFor(async () => {
      const [head, ...rows] = (await ada.api.readSalesTax({ query: { year } })).text.trimEnd().split('\r\n');
      expect(head).toBe('\uFEFFmonth,collected,given back,net,rate in percent');
      const withoutMonths = rows.map((row) => row.replace(/^\d{4}-\d\d,/, ''));
      expect(withoutMonths).toEqual(['1.10,0.00,1.10,8', '12.20,0.00,12.20,8.875']);
    });
  });
});
