import { describe, expect, test } from 'vitest';
import { ROLES } from '../../domain/accounts.ts';
import { FIRST_STEP_TEXTS, findFirstSteps, type NewcomerFacts } from './firstSteps.ts';

type FactsOf<R extends NewcomerFacts['role']> = Extract<NewcomerFacts, { role: R }>;

const BUD: FactsOf<'Bud'> = { role: 'Bud', addresses: 1, notifications: 'notYet', orders: 0, completed: 0 };
const SCRUB: FactsOf<'Scrub'> = {
  role: 'Scrub',
  addresses: 1,
  notifications: 'notYet',
  isVisible: false,
  jobs: [],
  completed: 0,
};
const DUBER: FactsOf<'Duber'> = {
  role: 'Duber',
  addresses: 1,
  notifications: 'notYet',
  location: 'notYet',
  deliveries: 0,
  delivered: 0,
};
const NEWCOMERS: readonly NewcomerFacts[] = [BUD, SCRUB, DUBER];

/** 'address ✓, order' */
const say = (facts: NewcomerFacts) =>
  findFirstSteps(facts)
    .map(({ name, isDone }) => (isDone ? `${name} ✓` : name))
    .join(', ');

describe('the first steps', () => {
  test('of a Bud are an address, an order and notifications', () => {
    expect(say({ ...BUD, addresses: 0 })).toBe('address, order, notifications');
    expect(say(BUD)).toBe('address ✓, order, notifications');
    expect(say({ ...BUD, orders: 1 })).toBe('address ✓, order ✓, notifications');
  });

  test('of a Scrub are a place, being visible, notifications and a job that they have accepted', () => {
    expect(say(SCRUB)).toBe('address ✓, visible, notifications, job');
    expect(say({ ...SCRUB, isVisible: true, jobs: ['Requested'] })).toBe('address ✓, visible ✓, notifications, job');
    expect(say({ ...SCRUB, jobs: ['Rejected'] })).toBe('address ✓, visible, notifications, job');
    expect(say({ ...SCRUB, jobs: ['Accepted'] })).toBe('address ✓, visible, notifications, job ✓');
  });

  test('of a Duber are an address, the location, notifications and a delivery', () => {
    expect(say(DUBER)).toBe('address ✓, location, notifications, delivery');
    expect(say({ ...DUBER, location: 'yes', notifications: 'yes' })).toBe(
      'address ✓, location ✓, notifications ✓, delivery',
    );
    expect(say({ ...DUBER, deliveries: 1 })).toBe('address ✓, location, notifications, delivery ✓');
  });

  test('ask for nothing that the device cannot do or has refused', () => {
    expect(say({ ...DUBER, location: 'no', notifications: 'no' })).toBe('address ✓, delivery');
  });

  test('are gone once all are done', () => {
    expect(say({ ...BUD, orders: 1, notifications: 'yes' })).toBe('');
    expect(say({ ...BUD, orders: 1, notifications: 'no' })).toBe('');
    expect(say({ ...SCRUB, isVisible: true, jobs: ['In_Progress'], notifications: 'yes' })).toBe('');
    expect(say({ ...DUBER, location: 'yes', notifications: 'yes', deliveries: 1 })).toBe('');
  });

  test.each<NewcomerFacts>([
    { ...BUD, addresses: 0, orders: 1, completed: 1 },
    { ...BUD, orders: 2 },
    { ...SCRUB, jobs: ['Completed'], completed: 1 },
    { ...SCRUB, jobs: [], completed: 12 },
    { ...SCRUB, jobs: ['Cancelled', 'Rejected'] },
    { ...DUBER, addresses: 0, deliveries: 1, delivered: 1 },
    { ...DUBER, deliveries: 2 },
  ])('are never shown to a $role with a history, whatever is missing', (facts) => {
    expect(say(facts)).toBe('');
  });

  test.each(NEWCOMERS)('of a $role all have words', (facts) => {
    for (const { name } of findFirstSteps(facts)) expect(FIRST_STEP_TEXTS[facts.role][name]?.label, name).toBeTruthy();
    expect(findFirstSteps(facts).length).toBe(Object.keys(FIRST_STEP_TEXTS[facts.role]).length);
  });

  test('exist for every role', () => {
    expect(NEWCOMERS.map(({ role }) => role).toSorted()).toEqual([...ROLES].toSorted());
  });
});
