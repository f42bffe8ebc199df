import { expect, test } from 'vitest';
import { createRunLog } from '../findings.ts';
import type { Person } from '../people/person.ts';
import { createKnowledge } from './knowledge.ts';
import { checkTotals } from './totals.ts';

test.each(['Bud', 'Scrub', 'Duber'] as const)(
  'a %s who cannot read what is theirs is reported, not skipped',
  async (role) => {
    const log = createRunLog(() => 0);
    const person = {
      ...{ name: `${role} 1`, role, policy: 'open' },
      knowledge: createKnowledge(`${role} 1`, log, { isWeighed: false, hasDefaultPrices: true }),
      // Every answer is a 404 or a 403.
      phone: { read: async () => undefined },
    };
    await checkTotals(person as unknown as Person, log);
    expect(log.findings[0]).toMatchObject({ promise: 'everybody can read what is theirs' });
  },
);
