import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TAKEN_AT_HEADER } from '../../contract/call.ts';
import { sendRequest } from '../../testing/checkedClient.ts';
import { createOrderInStatus, createParticipants, findLegId, type Participants } from '../../testing/orderSteps.ts';
import { DATABASE_KINDS, openTestServer, type TestServer } from '../../testing/testServer.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

describe.each(DATABASE_KINDS)('when a step was taken that is sent later, on %s', (kind) => {
  let world: TestServer;
  let cast: Participants;
  let params: { id: string };

  beforeAll(async () => {
    world = await openTestServer(kind);
    cast = await createParticipants(world);
    params = { id: findLegId(await createOrderInStatus(cast, 'Accepted'), 'Bud_To_Scrub') };
    await cast.duber.api['accept-delivery']({ params });
  });
  afterAll(() => world?.close());

  const ago = (ms: number) => new Date(world.now().getTime() - ms).toISOString();
  const send = (action: string, takenAt: string) =>
    sendRequest(world.apiUrl, 'GET', `/deliveries/${params.id}/${action}`, {
      token: cast.duber.token,
      headers: { [TAKEN_AT_HEADER]: takenAt },
    });

  test('a time in the future, of more than a day ago, or none at all is a 400, and the step is not taken', async () => {
    const bad = [
      [ago(-6 * MINUTE_MS), 'isPast'],
      [ago(DAY_MS + MINUTE_MS), 'isRecent'],
      ['yesterday', 'isTime'],
      ['', 'isTime'],
      ['2026-11-21 10:00:00', 'isTime'],
      ['1700000000000', 'isTime'],
    ] as const;
    for (const [takenAt, rule] of bad) {
      const { status, body } = await send('way-to-pickup', takenAt);
      expect([status, body.message[0].property, Object.keys(body.message[0].constraints)], takenAt).toEqual([
        400,
        TAKEN_AT_HEADER,
        [rule],
      ]);
    }
    expect((await cast.duber.api.readDelivery({ params })).status).toBe('Accepted');
  });

  test('it stands in the history for everybody beside the time that the server took the step at', async () => {
    const takenAt = ago(DAY_MS - MINUTE_MS);
    const step = await cast.duber.api['way-to-pickup']({ params, takenAt });
    expect(step.takenAt).toBe(takenAt);
    expect(Date.parse(step.createdAt) - Date.parse(takenAt)).toBeGreaterThanOrEqual(DAY_MS - MINUTE_MS);
    await cast.duber.api.collected({ params });
    for (const { api } of [cast.bud, cast.scrub, cast.duber]) {
      const { statusHistory } = await api.readDelivery({ params });
      expect(statusHistory.map((one) => one.takenAt)).toEqual([null, null, takenAt, null]);
    }
  });

  test('a clock that is a little ahead counts as now', async () => {
    const { status, body } = await send('way-to-drop', ago(-MINUTE_MS));
    expect(status).toBe(200);
    expect(Date.parse(body.takenAt)).toBeLessThanOrEqual(Date.parse(body.createdAt));
  });
});
