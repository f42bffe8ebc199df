import { expect, test } from 'vitest';
import { createSerialRefetch } from './serialRefetch.ts';

/** A read that ends when the test says so. */
function openRead() {
  const ends: (() => void)[] = [];
  let nextStart = Promise.withResolvers<void>();
  const readAgain = createSerialRefetch(() => {
    nextStart.resolve();
    nextStart = Promise.withResolvers();
    return new Promise<void>((resolve, reject) => void ends.push(ends.length === 1 ? reject : resolve));
  });
  return { ends, readAgain, nextStart: () => nextStart.promise };
}

test('changes during a read cause one more read, also when the read fails', async () => {
  const { ends, readAgain, nextStart } = openRead();
  readAgain();
  readAgain();
  readAgain();
  expect(ends).toHaveLength(1);
  const second = nextStart();
  ends[0]?.();
  await second;
  readAgain();
  const third = nextStart();
  ends[1]?.();
  await third;
  expect(ends).toHaveLength(3);
});

test('a read that nothing was asked of meanwhile is the last one', async () => {
  const { ends, readAgain, nextStart } = openRead();
  readAgain();
  ends[0]?.();
  await Promise.resolve();
  await Promise.resolve();
  await Promise.resolve();
  await Promise.resolve();
  expect(ends).toHaveLength(1);
  const next = nextStart();
  readAgain();
  await next;
  expect(ends).toHaveLength(2);
});
