import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../domain/durations.ts';
import { dayOf } from '../../domain/reconciledDays.ts';
import { createOrderInStatus, createParticipants, type Participants } from '../../testing/orderSteps.ts';
import { openTestServer, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';
import { readFigures } from '../operator/figures.sql.ts';

/** The series of an answer in Prometheus' text format: each name with its labels, and its value. */
function seriesOf(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

describe.each(RULE_DATABASES)('metrics on %s', (kind) => {
  let server: TestServer;
  let participants: Participants;
  beforeAll(async () => {
    server = await openTestServer(kind, { env: { METRICS_PORT: '0' } });
    participants = await createParticipants(server);
  });
  afterAll(() => server?.close());

  const read = async () => {
    const answer = await fetch(`http://127.0.0.1:${server.server.metricsPort()}/metrics`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('text/plain');
    return answer.text();
  };

  test('say how many requests of each call were answered, refused and how fast', async () => {
    await createOrderInStatus(participants, 'Requested');
    await participants.bud.api.budDashboard();
    expect((await fetch(`${server.apiUrl}/dashboards/bud`)).status).toBe(401);
    const series = seriesOf(await read());
    const count = (status: number) =>
      series.get(`rubadub_request_seconds_count{method="GET",call="/api/dashboards/bud",status="${status}"}`);
    expect([count(200), count(401)]).toEqual([1, 1]);
    expect(series.get('rubadub_refusals_total{error="unauthenticated"}')).toBeGreaterThanOrEqual(1);
    expect(series.get('rubadub_open_orders{status="Requested"}')).toBe(1);
    expect(series.get('rubadub_database_up')).toBe(1);
    for (const name of ['queue_length{queue="mail"}', 'stuck{kind="payments"}', 'database_waiting{lane="steps"}'])
      expect(series.get(`rubadub_${name}`), name).toBeGreaterThanOrEqual(0);
    expect(series.get('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0);
  });

  test('say what the comparison of the newest day with the card network said, and how many orders were in time', async () => {
    const db = server.server.db;
    const at = server.now();
    const completed = await createOrderInStatus(participants, 'Completed');
    // Newer than the days that the server compares by itself.
    const [before, newest] = [2, 1].map((days) => new Date(at.getTime() - days * DAY_MS)) as [Date, Date];
    const equal = { day: dayOf(before), state: 'equal', checked_at: newest } as const;
    const differs = { day: dayOf(newest), state: 'differs', checked_at: at, differing: 1 } as const;
    for (const day of [equal, differs]) await db.insertInto('reconciled_days').values(day).execute();
    const figures = await readFigures(db, at);
    expect(figures.verdict).toEqual({ state: 'differs', checkedAt: at.getTime() / 1000 });
    expect(figures.equalAt).toBe(newest.getTime() / 1000);
    expect(figures.onTime).toBe(1);
    await db.updateTable('reconciled_days').set({ is_known: true }).where('day', '=', differs.day).execute();
    expect((await readFigures(db, at)).verdict).toMatchObject({ state: 'known' });
    const late = { subject_kind: 'order', subject_id: completed.id, action: 'late', status: 'In_Progress' } as const;
    await db
      .insertInto('steps')
      .values({ ...late, actor_role: 'System', attempt: 1, position: 99, at })
      .execute();
    expect((await readFigures(db, at)).onTime).toBe(0);
  });

  test('contain no text of a person and no id', async () => {
    const { user } = participants.bud;
    await participants.bud.api.readOrder({ params: { id: 'not-an-id' } }).catch(() => undefined);
    const text = await read();
    for (const secret of [user.id, user.fullname, user.email, 'not-an-id']) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/[\da-f]{8}-[\da-f]{4}/);
  });

  test('are on their port only, and nothing else is there', async () => {
    expect((await fetch(`${new URL('/metrics', server.apiUrl)}`)).status).toBe(404);
    const port = server.server.metricsPort();
    expect((await fetch(`http://127.0.0.1:${port}/api/health/live`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).toBe(404);
  });
});
