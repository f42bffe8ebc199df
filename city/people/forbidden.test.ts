import { expect, test } from 'vitest';
import { acceptTwo } from './forbidden.ts';
import type { Person } from './person.ts';

/** A Duber whose server takes every step. */
function createLuckyDuber() {
  const reported: string[] = [];
  const duber = {
    name: 'Duber 1',
    phone: { press: async () => ({ ok: true, answer: { status: 'Accepted', createdAt: '2026-12-01T10:00:00Z' } }) },
    knowledge: { took: () => {} },
    report: (_promise: string, what: string) => reported.push(what),
  };
  return { duber: duber as unknown as Person, reported };
}

const window = { from: '2026-12-01T17:00:00Z', until: '2026-12-01T19:00:00Z' };

test.each([
  ['without windows, two deliveries at once are a contradiction', [{ id: 'a' }, { id: 'b' }], 1],
  ['a delivery that is accepted ahead leaves room for another one', [{ id: 'a' }, { id: 'b', window }], 0],
  [
    'two deliveries are accepted ahead',
    [
      { id: 'a', window },
      { id: 'b', window },
    ],
    0,
  ],
] as const)('%s', async (_what, deliveries, contradictions) => {
  const { duber, reported } = createLuckyDuber();
  await acceptTwo(duber, deliveries);
  expect(reported).toHaveLength(contradictions);
});
