import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPaymentHarness, type PaymentHarness } from '../../testing/paymentHarness.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { readConfig } from '../config/config.ts';
import { configHandlers } from '../payments/prices/publicConfig.ts';
import { listDemoReviews } from './demoReviews.ts';
import { insertReview } from './reviews.sql.ts';

// The demo was complete then.
const DONE_MINUTE = 10;
const at = (minute: number) => new Date(Date.UTC(2026, 10, 19, 8, minute)).toISOString();

describe.each(RULE_DATABASES)('the reviews that everybody can read, on %s', (kind) => {
  let harness: PaymentHarness;
  let emails: { readonly bud: string; readonly scrub: string };
  let people: Readonly<Record<string, string>>;
  const NEWEST = { type: 'Bud_To_Scrub', author: 'Mina', rating: 4, message: 'Very good, a bit late.' };
  beforeAll(async () => {
    harness = await openPaymentHarness(kind);
    const { buds, scrubs } = harness.users;
    emails = {
      bud: await renameUser(buds[0]?.id, 'Mina Okafor'),
      scrub: await renameUser(scrubs[0]?.id, 'Hana Bloom'),
    };
    people = { [emails.bud]: 'Mina Okafor', [emails.scrub]: 'Hana Bloom' };
  });
  afterAll(() => harness?.close());

  const renameUser = async (id = '', fullname = '') =>
    (
      await harness.context.db
        .updateTable('users')
        .set({ fullname })
        .where('id', '=', id)
        .returning('email')
        .executeTakeFirstOrThrow()
    ).email;
  const readReviews = async (people?: Readonly<Record<string, string>>) => {
    const demo = people && { names: new Map(Object.entries(people)), doneAt: at(DONE_MINUTE) };
    const config = { ...readConfig({}), demoPeople: () => demo };
    return (await configHandlers({ ...harness.context, config }, listDemoReviews).readConfig({} as never)).demoReviews;
  };
  const review = async (minute: number, rating: number, message: string) => {
    const { context, users } = harness;
    const [fromUserId = '', toUserId = ''] = [users.buds[0]?.id, users.scrubs[0]?.id];
    const orderId = await harness.createOrder('Completed');
    const base = { id: context.newId(), orderId, deliveryId: null, createdAt: at(minute) };
    await insertReview(context.db, { ...base, type: 'Bud_To_Scrub', rating, message, fromUserId, toUserId });
  };

  test('are the newest good ones between demo people, with the first name only', async () => {
    await review(1, 5, 'Fresh, and folded like in a shop.');
    await review(2, 4, 'Very good, a bit late.');
    await review(3, 3, 'Clean, but quite creased.');
    expect(await readReviews(people)).toEqual([NEWEST]);
  });

  test('are not what a visitor writes or how a visitor calls a demo person', async () => {
    await review(DONE_MINUTE, 4, 'Very good, a bit late.');
    await review(DONE_MINUTE + 1, 5, 'Written by a visitor.');
    await renameUser(harness.users.buds[0]?.id, 'Rude Word');
    expect(await readReviews(people)).toEqual([NEWEST]);
  });

  test('are never by or about a person who is not of the demo', async () => {
    expect(await readReviews({ [emails.bud]: 'Mina Okafor' })).toBeUndefined();
    expect(await readReviews({ [emails.scrub]: 'Hana Bloom' })).toBeUndefined();
  });

  test('are missing without a demo, and while the demo is being made', async () => {
    expect(await readReviews()).toBeUndefined();
  });
});
