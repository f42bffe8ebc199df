import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENDED_UNDONE } from '../../contract/failures.ts';
import { captureOutcome } from '../../promises/callOutcome.ts';
import { expectFailure } from '../../testing/checkedClient.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  type Participants,
  REVIEW,
} from '../../testing/orderSteps.ts';
import { openTestServer, RULE_DATABASES, type TestServer, type TestUser } from '../../testing/testServer.ts';

describe.each(RULE_DATABASES)('reviews on %s', (kind) => {
  let server: TestServer;
  let secondServer: TestServer;
  let participants: Participants;

  beforeAll(async () => {
    server = await openTestServer(kind);
    secondServer = kind === 'postgres' ? await openTestServer(kind, { beside: server }) : server;
    participants = await createParticipants(server);
  });
  afterAll(async () => {
    if (secondServer !== server) await secondServer?.close();
    await server?.close();
  });

  test('the Bud and the Scrub review each other once, after the order is completed', async () => {
    const order = await createOrderInStatus(participants, 'In_Progress');
    const params = { id: order.id };
    const toScrub = (scrubId: string) => participants.bud.api.reviewToScrub({ params, body: { ...REVIEW, scrubId } });
    const toBud = (budId: string) => participants.scrub.api.reviewToBud({ params, body: { ...REVIEW, budId } });
    const early = { status: 409, message: 'It is too early to review this' };
    expect(await expectFailure(toScrub(participants.scrub.user.id))).toEqual(early);
    expect(await expectFailure(toBud(participants.bud.user.id))).toEqual(early);
    await participants.scrub.api['complete-order']({ params });
    expect((await expectFailure(toScrub(participants.duber.user.id))).status).toBe(400);
    expect((await expectFailure(toBud(participants.scrub.user.id))).status).toBe(400);
    const written = await toScrub(participants.scrub.user.id);
    expect(written).toMatchObject({ ...REVIEW, type: 'Bud_To_Scrub', orderId: order.id, deliveryId: null });
    expect([written.fromUserId, written.toUserId]).toEqual([participants.bud.user.id, participants.scrub.user.id]);
    await toBud(participants.bud.user.id);
    const twice = { status: 409, message: 'You have already reviewed this' };
    expect(await expectFailure(toScrub(participants.scrub.user.id))).toEqual(twice);
    expect(await expectFailure(toBud(participants.bud.user.id))).toEqual(twice);
  });

  test('an order that was cancelled is not said to be reviewed later', async () => {
    const { id } = await createOrderInStatus(participants, 'Accepted');
    await participants.bud.api['cancel-accepted']({ params: { id }, body: { reason: 'changed-mind' } });
    const body = { ...REVIEW, scrubId: participants.scrub.user.id };
    expect(await expectFailure(participants.bud.api.reviewToScrub({ params: { id }, body }))).toEqual({
      status: 409,
      message: ENDED_UNDONE,
    });
  });

  test('the Bud and the Scrub review the Duber once for each finished delivery', async () => {
    const order = await createOrderInStatus(participants, 'Completed');
    const duber = await server.createUser('Duber');
    for (const delivery of order.deliveries) {
      const review = (by: 'bud' | 'scrub', duberId: string) =>
        participants[by].api.reviewToDuber({ params: { id: delivery.id }, body: { ...REVIEW, duberId } });
      expect((await expectFailure(review('bud', duber.user.id))).status).toBe(409);
      await advanceDelivery(duber, delivery.id, 4);
      expect((await expectFailure(review('scrub', duber.user.id))).status).toBe(409);
      expect((await expectFailure(review('bud', participants.duber.user.id))).status).toBe(400);
      await duber.api.delivered({ params: { id: delivery.id } });
      expect((await review('bud', duber.user.id)).type).toBe('Bud_To_Duber');
      expect(await review('scrub', duber.user.id)).toMatchObject({ type: 'Scrub_To_Duber', deliveryId: delivery.id });
      expect((await expectFailure(review('bud', duber.user.id))).status).toBe(409);
      expect((await expectFailure(review('scrub', duber.user.id))).status).toBe(409);
    }
    expect((await participants.bud.api.readOrder({ params: { id: order.id } })).reviews).toHaveLength(4);
  });

  test('four parallel reviews of one order are stored and counted as one', async () => {
    const scrub = await server.createUser('Scrub', { north: 900 });
    const { id } = await createOrderInStatus({ ...participants, scrub }, 'Completed');
    const review = (bud: TestUser, rating: number) =>
      bud.api.reviewToScrub({ params: { id }, body: { ...REVIEW, rating, scrubId: scrub.user.id } });
    const elsewhere = { ...participants.bud, api: secondServer.api(participants.bud.token) };
    const outcomes = await Promise.all(
      [1, 2, 3, 4].map((rating) => captureOutcome(() => review(rating % 2 ? participants.bud : elsewhere, rating))),
    );
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    for (const { status, message } of outcomes)
      if (status === 409) expect(message).toBe('You have already reviewed this');
    const { reviews } = await participants.bud.api.readOrder({ params: { id } });
    expect(reviews).toHaveLength(1);
    expect((await scrub.api.scrubDashboard()).averageScrubOrdersRating).toBe(reviews[0]?.rating);
  });
});
