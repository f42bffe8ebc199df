import { expect, test } from 'vitest';
import { shareRead } from './sharedRead.ts';

test('a hundred who ask while a read runs share the next one, which begins after they asked', async () => {
  const ends: ((value: number) => void)[] = [];
  const read = shareRead(() => new Promise<number>((resolve) => void ends.push(resolve)));
  const first = read();
  const others = Array.from({ length: 100 }, () => read());
  expect(ends).toHaveLength(1);
  ends[0]?.(1);
  expect(await first).toBe(1);
  await Promise.resolve();
  expect(ends).toHaveLength(2);
  ends[1]?.(2);
  expect(new Set(await Promise.all(others))).toEqual(new Set([2]));
  const later = read();
  expect(ends).toHaveLength(3);
  ends[2]?.(3);
  expect(await later).toBe(3);
});

test('a read that fails fails for those who shared it, and not for the next', async () => {
  let count = 0;
  const read = shareRead(async () => {
    count += 1;
    if (count <= 2) throw new Error(`read ${count}`);
    return count;
  });
  const outcomes = await Promise.allSettled([read(), read(), read()]);
  expect(outcomes.map((one) => (one.status === 'rejected' ? String(one.reason) : one.value))).toEqual([
    'Error: read 1',
    'Error: read 2',
    'Error: read 2',
  ]);
  expect(await read()).toBe(3);
});
