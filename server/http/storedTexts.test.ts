import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { newNames } from '../../contract/accounts.ts';
import { API, type CallName } from '../../contract/api.ts';
import type { Call } from '../../contract/call.ts';
import { buildUrl } from '../../contract/callClient.ts';
import { subscribePush } from '../../contract/notifications.ts';
import { placeOrder as placeOrderCall } from '../../contract/orders.ts';
import { newAddressTexts } from '../../contract/places.ts';
import { reviewToScrub } from '../../contract/reviews.ts';
import { expectValidationErrors, sendRequest } from '../../testing/checkedClient.ts';
import { UNKNOWN_ID } from '../../testing/invalidInputs.ts';
import { NASTY_STRINGS } from '../../testing/nastyStrings.ts';
import {
  createOrderInStatus,
  createParticipants,
  firstAddressId,
  orderBody,
  type Participants,
} from '../../testing/orderSteps.ts';
import {
  DATABASE_KINDS,
  type DatabaseKind,
  openTestServer,
  pointAt,
  type TestServer,
  type TestUser,
} from '../../testing/testServer.ts';
import { openServerDatabase } from '../db/database.ts';

/** CI sends every fourth string, other ones to each database; the night sends them all. */
const stringsFor = (kind: DatabaseKind) =>
  NASTY_STRINGS.filter((_, index) => process.env.PROMISES === 'night' || index % 4 === DATABASE_KINDS.indexOf(kind));

/** Whether an error says in words what is wrong. */
const WORDS = /^[A-Za-z][A-Za-z '|/[\]_:.,!@#$%^&*()=+{};<>0-9-]{9,}$/;

test('there are 500 nasty strings', () => {
  expect(NASTY_STRINGS.length).toBeGreaterThanOrEqual(500);
});

describe.each(DATABASE_KINDS)('texts and times of people, on %s', (kind) => {
  let testServer: TestServer;
  let participants: Participants;

  beforeAll(async () => {
    testServer = await openTestServer(kind);
    participants = await createParticipants(testServer);
  });
  afterAll(() => testServer?.close());

  const post = (path: string, body: object, { token }: TestUser) =>
    sendRequest(testServer.apiUrl, 'POST', path, { token, body });

  /** What the contract makes of a text: what is stored, or undefined when it is refused. */
  function storedAs(schema: z.ZodType, value: unknown): unknown {
    const result = schema.safeParse(value);
    return result.success ? result.data : undefined;
  }

  /** Sends each string as one property, and expects to read it back or a clear error. Returns those that were accepted. */
  async function sendEach(
    property: string,
    schema: z.ZodType,
    send: (value: string) => Promise<Awaited<ReturnType<typeof post>>>,
  ): Promise<string[]> {
    const accepted: string[] = [];
    for (const value of stringsFor(kind)) {
      const reply = await send(value);
      const stored = storedAs(schema, value);
      if (stored !== undefined) {
        expect(reply.status, `${property} ${JSON.stringify(value)}`).toBeLessThan(300);
        expect(reply.body[property]).toBe(stored);
        accepted.push(value);
      } else {
        const [[name, message] = [], ...others] = expectValidationErrors(reply);
        expect([name, others], JSON.stringify(value)).toEqual([property, []]);
        expect(message).toMatch(WORDS);
      }
    }
    expect(accepted.length).toBeGreaterThan(25);
    return accepted;
  }

  test('a name, a label, an address and the name of a device are stored as they are, or refused in words', async () => {
    const { bud, scrub, duber } = participants;
    const id = firstAddressId(scrub);
    const place = { id, label: 'Home', address: '7 Otter Lane', ...pointAt(1200, 0) };
    const { shape } = newAddressTexts;
    const device = subscribePush.example?.body;
    await Promise.all([
      sendEach('fullname', newNames.shape.fullname, (fullname) => post('/profile', { fullname }, bud)),
      sendEach('label', shape.label, (label) => post('/profile/update-address', { ...place, label }, scrub)),
    ]);
    await sendEach('address', shape.address, (address) =>
      post('/profile/update-address', { ...place, address }, scrub),
    );
    const agent = subscribePush.body.shape.agent.transform((value) => value ?? 'A browser');
    await sendEach('agent', agent, (value) => post('/notifications/devices', { ...device, agent: value }, duber));
    expect((await sendRequest(testServer.apiUrl, 'GET', '/profile', { token: bud.token })).status).toBe(200);
  });

  /** Texts of at most `max` characters that have all of the strings in them, each on its own line. */
  function joined(strings: readonly string[], max: number): string[] {
    const texts = [''];
    for (const value of strings) {
      const longer = `${texts.at(-1)}\n${value}`;
      if (longer.normalize('NFC').length > max) texts.push(value);
      else texts[texts.length - 1] = longer;
    }
    return texts;
  }

  test('instructions and reviews are stored as they are, or refused in words', async () => {
    const { bud } = participants;
    const { id, scrubId } = await createOrderInStatus(participants, 'Completed');
    const instructions = placeOrderCall.body.shape.orderInstructions;
    const refused = NASTY_STRINGS.filter((value) => storedAs(instructions, value) === undefined);
    const accepted = NASTY_STRINGS.map((value) => storedAs(instructions, value)).filter(
      (one) => typeof one === 'string',
    );
    for (const value of refused) {
      const order = post('/scrub-orders', orderBody(participants, { orderInstructions: value }), bud);
      expect(expectValidationErrors(await order)[0]?.[1], JSON.stringify(value)).toMatch(WORDS);
      const review = { message: `Everything came back fresh${value}!`, rating: 5, scrubId };
      if (storedAs(reviewToScrub.body.shape.message, review.message) !== undefined) continue;
      const reply = await post(`/scrub-orders/${id}/review-to-scrub`, review, bud);
      expect(expectValidationErrors(reply)[0]?.[1], JSON.stringify(value)).toMatch(WORDS);
    }
    for (const value of joined(accepted, 900)) {
      const order = await bud.api.placeOrder({ body: orderBody(participants, { orderInstructions: value }) });
      expect(order.orderInstructions).toBe(storedAs(instructions, value));
      expect((await bud.api.readOrder({ params: { id: order.id } })).orderInstructions).toBe(order.orderInstructions);
    }
    const [message = ''] = joined(accepted, 1_900);
    const review = await bud.api.reviewToScrub({ params: { id }, body: { message, rating: 5, scrubId } });
    expect(review.message).toBe(storedAs(reviewToScrub.body.shape.message, message));
  });

  const withTexts = (Object.entries(API) as [CallName, Call][]).filter(([, call]) => call.body && call.example?.body);

  test('no text in any property of any call is answered with 5xx', async () => {
    let count = 0;
    for (const [name, call] of withTexts) {
      const role = call.who === 'anyone' ? 'Bud' : call.who[0];
      const user = { Bud: participants.bud, Scrub: participants.scrub, Duber: participants.duber }[role ?? 'Bud'];
      const base = call.example?.body as Record<string, unknown>;
      for (const property of Object.keys(base).filter((key) => typeof base[key] === 'string')) {
        // A share of the strings for each property, and other ones for the next: together they are all sent often.
        const every = process.env.PROMISES === 'night' ? 17 : 51;
        for (let index = count % every; index < NASTY_STRINGS.length; index += every) {
          const body = { ...base, [property]: NASTY_STRINGS[index] };
          const { status } = await post(buildUrl(call, { params: { id: UNKNOWN_ID } }), body, user);
          expect(status, `${name}.${property} ${JSON.stringify(NASTY_STRINGS[index])}`).toBeLessThan(500);
        }
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(25);
  });

  test.skipIf(kind === 'embedded')(
    'a text from before the rules does not keep its owner from changing something else',
    async () => {
      const { user, token, api } = await testServer.createUser('Scrub');
      const owner = { user, token, api };
      const id = user.addresses[0]?.id ?? '';
      const fullname = 'evil.example\r\n\u202Eada';
      const texts = { label: 'Ho\u200Bme', address: '7 Otter\nLane' };
      const { db, close } = openServerDatabase(testServer.databaseUrl ?? '', 1);
      await db.updateTable('users').set({ fullname }).where('id', '=', user.id).execute();
      await db.updateTable('addresses').set(texts).where('id', '=', id).execute();
      await close();
      const unchanged = await post('/profile', { fullname, phone: '+12025550199' }, owner);
      expect([unchanged.status, unchanged.body.fullname, unchanged.body.phone]).toEqual([
        200,
        fullname,
        '+12025550199',
      ]);
      expect(expectValidationErrors(await post('/profile', { fullname: `${fullname}!` }, owner))).toEqual([
        ['fullname', 'Full Name must be a single line of text'],
      ]);
      const place = { id, ...texts, ...pointAt(1, 1) };
      const moved = await post('/profile/update-address', place, owner);
      expect([moved.status, moved.body.label, moved.body.address]).toEqual([200, texts.label, texts.address]);
      expect(expectValidationErrors(await post('/profile/update-address', { ...place, label: 'a\nb' }, owner))).toEqual(
        [['label', 'Label must be a single line of text']],
      );
    },
  );
});
