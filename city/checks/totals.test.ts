import { expect, test } from 'vitest';
import type { Role } from '../../domain/accounts.ts';
import { createRunLog } from '../findings.ts';
import type { Person } from '../people/person.ts';
import { createKnowledge } from './knowledge.ts';
import { checkTotals } from './totals.ts';

/** Somebody whose reads are answered like this. */
function openPerson(role: Role, answers: Readonly<Record<string, unknown>>) {
  const log = createRunLog(() => 0);
  const knowledge = createKnowledge(`${role} 1`, log, { isWeighed: true, hasDefaultPrices: true });
  const phone = { read: async (what: string) => answers[what] };
  return { log, knowledge, person: { name: `${role} 1`, role, policy: 'open', knowledge, phone } as unknown as Person };
}
const found = ({ findings }: { findings: readonly { what: string }[] }) => findings.map(({ what }) => what);

test.each(['Bud', 'Scrub', 'Duber'] as const)(
  'a %s who cannot read what is theirs is reported, not skipped',
  async (role) => {
    // Every answer is a 404 or a 403.
    const { log, person } = openPerson(role, {});
    await checkTotals(person, log);
    expect(log.findings[0]).toMatchObject({ promise: 'everybody can read what is theirs' });
  },
);

test('an order of a Bud who was told that it was not placed is found, and one that is gone', async () => {
  const step = { status: 'Requested', createdAt: '2026-11-23T10:00:00.000Z' };
  const order = (id: string, number: string) => ({
    ...{ id, number, status: 'Requested', statusHistory: [step], exceptions: [], deliveries: [], price: {} },
  });
  const { log, person, knowledge } = openPerson('Bud', {
    'all orders': { data: { items: [order('order-1', 'R-1'), order('order-2', 'R-2')], next: null } },
    'the dashboard': { totalScrubOrders: 2, totalActiveScrubOrders: 0, totalCompletedScrubOrders: 0, totalSpent: 0 },
    'the receipt of R-1': { movements: [], pending: null },
    'the receipt of R-2': { movements: [], pending: null },
  });
  for (const id of ['order-1', 'order-3']) knowledge.placed(id);
  await checkTotals(person, log);
  expect(found(log)).toEqual([
    'Bud 1 has R-2, and was not told that it was placed',
    'Bud 1 placed the order order-3, and it is not among all orders',
  ]);
});
