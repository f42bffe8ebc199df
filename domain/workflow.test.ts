import { describe, expect, test } from 'vitest';
import { ROLES } from './accounts.ts';
import { DELIVERY_GROUPS, DELIVERY_STATUSES, isActiveDelivery } from './deliveries.ts';
import { ORDER_GROUPS, ORDER_STATUSES } from './orders.ts';
import { DELIVERY_CALL_ROWS, DELIVERY_FLOW } from './process/delivery.ts';
import { ORDER_CALL_ROWS, ORDER_FLOW, ORDER_TIMER_ROWS } from './process/order.ts';
import { chooseRow, findTransitions, rowsOfPeople, rowsOfTimers, type Transition } from './workflow.ts';

// spec 4.1. Written out again on purpose, so that a mistake in the table fails a test.
const EXPECTED_ORDER_FLOW: Record<string, readonly [from: string, to: string, by: string]> = {
  'cancel-order': ['Requested', 'Cancelled', 'Bud'],
  'accept-order': ['Requested', 'Accepted', 'Scrub'],
  'reject-order': ['Requested', 'Rejected', 'Scrub'],
  'expire-request': ['Requested', 'Cancelled', 'System'],
  'start-order': ['Accepted', 'In_Progress', 'Scrub'],
  'complete-order': ['In_Progress', 'Completed', 'Scrub'],
};

// spec 4.2
const EXPECTED_DELIVERY_FLOW: Record<string, readonly [from: string, to: string, by: string]> = {
  'accept-delivery': ['Pending', 'Accepted', 'Duber'],
  'way-to-pickup': ['Accepted', 'Way_To_Pick', 'Duber'],
  collected: ['Way_To_Pick', 'Collected', 'Duber'],
  'way-to-drop': ['Collected', 'Way_To_Drop', 'Duber'],
  delivered: ['Way_To_Drop', 'Delivered', 'Duber'],
};

const ACTORS = [...ROLES, 'Operator', 'System'] as const;

const everyCase = (expected: typeof EXPECTED_ORDER_FLOW, statuses: readonly string[]) =>
  Object.entries(expected).flatMap(([action, [from, to, by]]) =>
    statuses.flatMap((status) => ACTORS.map((role) => ({ action, status, role, from, to, by }))),
  );

const expectedResultOf = ({ status, role, from, to, by }: ReturnType<typeof everyCase>[number]) => {
  if (role !== by) return { ok: false, why: 'wrong-role' };
  return status === from ? { ok: true, to } : { ok: false, why: 'wrong-status' };
};

/** What an action leads to when its needs are met. */
function resultOf(
  flow: readonly Transition<string, string, string>[],
  { action, status, role }: { readonly action: string; readonly status: string; readonly role: string },
) {
  const rows = flow.map((row) => ({ ...row, needs: [] }));
  const chosen = chooseRow(rows, { action, status, by: role }, {}, {});
  return chosen.ok ? { ok: true, to: chosen.row.to } : chosen;
}

describe('an action at a status by a role is allowed only by the specification:', () => {
  test.each(everyCase(EXPECTED_ORDER_FLOW, ORDER_STATUSES))('$action of an order at $status by a $role', (one) => {
    expect(resultOf(ORDER_FLOW, one)).toEqual(expectedResultOf(one));
  });

  test.each(everyCase(EXPECTED_DELIVERY_FLOW, DELIVERY_STATUSES))(
    '$action of a delivery at $status by a $role',
    (one) => {
      expect(resultOf(DELIVERY_FLOW, one)).toEqual(expectedResultOf(one));
    },
  );

  test('the tables have no rows beyond the specification', () => {
    expect(ORDER_FLOW.map((row) => row.action)).toEqual(Object.keys(EXPECTED_ORDER_FLOW));
    expect(DELIVERY_FLOW.map((row) => row.action)).toEqual(Object.keys(EXPECTED_DELIVERY_FLOW));
  });
});

describe('a row of the System or of an operator', () => {
  const flow: readonly Transition<string, string, (typeof ACTORS)[number]>[] = [
    { action: 'ask', from: 'New', to: 'Asked', by: 'Bud' },
    { action: 'take-off', from: 'Asked', to: 'New', by: 'Operator' },
    { action: 'forget', from: 'Asked', to: 'New', by: 'System', after: 1 },
    { action: 'follow', from: 'New', to: 'New', by: 'System' },
  ];

  test('is neither a call nor a button', () => {
    expect(rowsOfPeople(flow).map(({ action }) => action)).toEqual(['ask']);
    for (const role of ROLES) expect(findTransitions(flow, 'Asked', role)).toEqual([]);
    expect(ORDER_CALL_ROWS.map(({ by }) => by)).not.toContain('System');
    expect(DELIVERY_CALL_ROWS).toEqual(DELIVERY_FLOW);
  });

  test('is taken by the server when it has a time, and a request expires after a day', () => {
    expect(rowsOfTimers(flow).map(({ action }) => action)).toEqual(['forget']);
    expect(ORDER_TIMER_ROWS.map(({ action, after }) => [action, after])).toContainEqual(['expire-request', 86_400_000]);
  });
});

describe('the available actions', () => {
  test('a Bud can cancel a requested order, a Scrub can accept or reject it, and a finished order has no actions', () => {
    const actions = (status: string, role: string) =>
      findTransitions(ORDER_FLOW, status, role).map((row) => row.action);
    expect(actions('Requested', 'Bud')).toEqual(['cancel-order']);
    expect(actions('Requested', 'Scrub')).toEqual(['accept-order', 'reject-order']);
    for (const status of ['Completed', 'Cancelled', 'Rejected']) {
      for (const role of ROLES) expect(actions(status, role)).toEqual([]);
    }
  });

  test('a Duber has exactly one action at each status until the delivery is done', () => {
    const buttons = DELIVERY_STATUSES.map((status) => findTransitions(DELIVERY_FLOW, status, 'Duber').length);
    expect(buttons).toEqual([1, 1, 1, 1, 1, 0, 0, 0, 0, 0]);
  });
});

describe('each status', () => {
  test('a delivery is active from acceptance until it is delivered, and while laundry is on board', () => {
    const active = (hasLaundry: boolean) =>
      DELIVERY_STATUSES.filter((status) => isActiveDelivery({ status, hasLaundry }));
    const BUSY = ['Accepted', 'Way_To_Pick', 'Collected', 'Way_To_Drop'];
    expect(active(false)).toEqual([...BUSY, 'Way_Back']);
    expect(active(true)).toEqual([...BUSY, 'Failed', 'Way_Back']);
  });

  test('statuses are in the groups of the specification', () => {
    expect(Object.values(ORDER_GROUPS)).toEqual([
      'pending',
      'progress',
      'progress',
      'completed',
      'cancelled',
      'cancelled',
    ]);
    expect(Object.keys(ORDER_GROUPS)).toEqual([...ORDER_STATUSES]);
    expect(DELIVERY_STATUSES.map((status) => DELIVERY_GROUPS[status])).toEqual([
      'pending',
      ...Array(4).fill('progress'),
      'completed',
      ...Array(3).fill('progress'),
      'cancelled',
    ]);
  });
});
