import { expect, test } from 'vitest';
import { addThing, capProblem, checkReport, emptyReport, emptyThing, type Thing, totalAsked } from './report.ts';

const ORDER = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';
const CAPS = { garment: 50, order: 300 };
const thing = (key: number, asked: string, more: Partial<Thing> = {}): Thing => ({
  ...emptyThing(key),
  ...{ what: 'Blue shirt', kind: 'missing', worth: '40', ageMonths: '2', asked },
  ...more,
});
const check = (...items: Thing[]) => checkReport({ ...emptyReport(), items }, ORDER, CAPS);

test('the total is the sum of what is asked so far, to the cent', () => {
  expect(totalAsked([thing(0, '0.10'), thing(1, '$0.20'), thing(2, ''), thing(3, 'ten')])).toBe(0.3);
});

test('a total above the cap of an order is said, and not sent', () => {
  const six = Array.from({ length: 6 }, (_, key) => thing(key, '50'));
  expect(capProblem(six, CAPS)).toBeUndefined();
  expect(capProblem([...six, thing(6, '0.01')], CAPS)).toBe('At most $300.00 for one order');
  expect(check(...six, thing(6, '0.01'))).toMatchObject({ items: 'At most $300.00 for one order' });
  expect(capProblem([...six, thing(6, '1')], undefined)).toBeUndefined();
});

test('each thing is checked by itself, under the names of its fields', () => {
  expect(check(thing(0, '10'), thing(1, '10', { what: ' ' }), thing(2, 'ten'))).toEqual({
    'items.1.what': 'Say what it is',
    'items.2.asked': 'What you ask for must be an amount in dollars',
  });
  expect(check(thing(0, '10'))).toEqual({});
});

test('an empty report is refused in the words of its labels, not in the names of its fields', () => {
  expect(check(emptyThing(0))).toMatchObject({
    'items.0.worth': 'Price when new must be an amount in dollars',
    'items.0.ageMonths': 'Age must be a whole number',
    'items.0.asked': 'What you ask for must be an amount in dollars',
  });
  expect(check(thing(0, '10', { ageMonths: '9999' }))).toEqual({
    'items.0.ageMonths': expect.stringMatching(/^Age must be at most/),
  });
});

test('one thing that is stained needs a photo of the report', () => {
  expect(check(thing(0, '10'), thing(1, '10', { kind: 'stained' }))).toEqual({ fileIds: 'Add a photo of it' });
  const items = [thing(0, '10', { kind: 'stained' })];
  expect(checkReport({ items, words: '', fileIds: [ORDER] }, ORDER, CAPS)).toEqual({});
});

test('at most ten things are reported at once', () => {
  const eleven = Array.from({ length: 11 }, (_, key) => thing(key, '1'));
  expect(check(...eleven)).toEqual({ items: 'At most 10 items' });
});

test('a thing that is added has another key than one that was removed', () => {
  const [first, second] = addThing([emptyThing(0)]);
  expect([first?.key, second?.key]).toEqual([0, 1]);
  expect(addThing(addThing([emptyThing(1)]).slice(1)).map(({ key }) => key)).toEqual([2, 3]);
});

test('a thing begins with a kind that can still be reported', () => {
  expect(emptyThing(0).kind).toBe('stained');
  expect(emptyReport(['missing']).items.map(({ kind }) => kind)).toEqual(['missing']);
  expect(addThing([emptyThing(0)], ['missing']).map(({ kind }) => kind)).toEqual(['stained', 'missing']);
});
