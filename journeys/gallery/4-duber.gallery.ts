import { randomUUID } from 'node:crypto';
import { DELIVERY_STATUSES } from '../../domain/deliveries.ts';
import { makePerson } from '../people.ts';
import { test } from './camera.ts';
import { heading, map, row, shootAll, shootState, text } from './states.ts';

const DUBER = 'duber@rubadub.test';
const FAR = { latitude: 24.09, longitude: 67.06 };

test('a duber: dashboard, list and earnings', async ({ house, sit }) => {
  const duber = await sit(DUBER);
  await shootAll(duber, { name: 'duber dashboard', path: '/duber/dashboard', ready: row }, 'waiting');
  await shootAll(duber, { name: 'duber deliveries', path: '/duber/deliveries', ready: row });
  await shootAll(duber, { name: 'duber earnings', path: '/duber/earnings', ready: text('No payouts yet.') });
  const busy = await sit('ines@rubadub.test');
  const active = heading('Active Delivery');
  await shootState(busy, { name: 'duber dashboard', path: '/duber/dashboard', ready: active }, 'active');
  const nobody = await sit((await makePerson(house, { role: 'Duber', fullname: 'Nova Duber', at: FAR })).email);
  const none = text('No recent deliveries available right now');
  await shootState(nobody, { name: 'duber dashboard', path: '/duber/dashboard', ready: none }, 'empty');
  await shootState(nobody, { name: 'duber deliveries', path: '/duber/deliveries', ready: none }, 'empty');
});

test('a delivery in each status', async ({ sit }) => {
  const done = new Set<string>();
  // Each of them is at another step.
  for (const name of ['duber', 'ines', 'lena', 'arjun', 'kofi']) {
    const duber = await sit(`${name}@rubadub.test`);
    const { items } = (await duber.api.listDeliveries({ query: { pageSize: '100' } })).data;
    for (const { id, status } of items) {
      if (done.has(status)) continue;
      done.add(status);
      await shootState(duber, { name: 'duber delivery', path: `/duber/deliveries/${id}`, ready: map }, stateOf(status));
    }
  }
  const duber = await sit(DUBER);
  const waiting = (await duber.api.duberDashboard()).pendingDeliveries[0]?.delivery.id;
  await shootAll(
    duber,
    { name: 'duber delivery', path: `/duber/deliveries/${waiting}`, ready: map },
    stateOf('Pending'),
  );
  const absent = heading('Delivery Not Found');
  const path = `/duber/deliveries/${randomUUID()}`;
  await shootState(duber, { name: 'duber delivery', path, ready: absent }, 'not found');
});

const stateOf = (status: (typeof DELIVERY_STATUSES)[number]) => `${DELIVERY_STATUSES.indexOf(status) + 1} ${status}`;
