import { expect, test } from 'vitest';
import { type ConnectionQueue, createConnectionQueue, type Lane } from './connectionQueue.ts';

/** Lets `count` requests of a lane wait, and notes in `started` when one gets its connection. */
function request(queue: ConnectionQueue, lane: Lane, count: number, started: Lane[]): void {
  for (let index = 0; index < count; index += 1) void queue.wait(lane).then(() => started.push(lane));
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const countOf = (started: readonly Lane[], lane: Lane) => started.filter((one) => one === lane).length;

test.each(['reads', 'steps'] as const)(
  'however many %s wait, they leave the reserved connections to the others',
  async (lane) => {
    const queue = createConnectionQueue({ connections: 6, reserved: 2 });
    const started: Lane[] = [];
    request(queue, lane, 1_000, started);
    await settled();
    expect(started).toHaveLength(4);
    const other = lane === 'reads' ? 'steps' : 'reads';
    request(queue, other, 3, started);
    await settled();
    expect(countOf(started, other)).toBe(2);
    expect(started).toHaveLength(6);
  },
);

test('a step that waits gets the next free connection, before reads that came earlier', async () => {
  const queue = createConnectionQueue({ connections: 1, reserved: 0 });
  const started: Lane[] = [];
  request(queue, 'reads', 5, started);
  request(queue, 'steps', 1, started);
  await settled();
  expect(started).toEqual(['reads']);
  queue.free('reads', true);
  await settled();
  expect(started).toEqual(['reads', 'steps']);
});

test('reads get every fourth turn while steps wait without end', async () => {
  const queue = createConnectionQueue({ connections: 1, reserved: 0 });
  const started: Lane[] = [];
  request(queue, 'steps', 40, started);
  request(queue, 'reads', 3, started);
  for (let turn = 0; turn < 12; turn += 1) {
    await settled();
    queue.free(started.at(-1) ?? 'reads', true);
  }
  await settled();
  // The first step came before the reads.
  const turns = ['steps', 'steps', 'steps', 'reads'];
  expect(started.slice(0, 13)).toEqual(['steps', ...turns, ...turns, ...turns]);
});

const A_MOMENT = { silentMs: 5, longestMs: 60_000 };
const LONG_ENOUGH = { silentMs: 60_000, longestMs: 5 };

test.each([
  ['the database answers nobody', A_MOMENT],
  ['it has waited for long although others are answered', LONG_ENOUGH],
])('a request gives up when %s, and its place goes to the next', async (_why, patience) => {
  const queue = createConnectionQueue({ connections: 1, reserved: 0, patience });
  await queue.wait('reads');
  const givenUp = queue.wait('reads');
  await expect(givenUp).rejects.toThrow('timeout expired');
  const next = queue.wait('reads');
  queue.free('reads', true);
  await expect(next).resolves.toBeUndefined();
});
