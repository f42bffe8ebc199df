import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Delivery } from '../../../contract/deliveries.ts';
import { LastSeen } from './LastSeen.tsx';

const DOOR = { latitude: 24.86, longitude: 67.001 };
const SCRUB = { latitude: 24.87, longitude: 67.001 };

/** What a Bud reads of the last position, after steps that were not planned. */
function read(status: Delivery['status'], hasLaundry: boolean, ...actions: string[]): string {
  const delivery = {
    ...{ id: 'd', deliveryType: 'Bud_To_Scrub', status, hasLaundry, pickup: null, duber: { fullname: 'Bob Wheels' } },
    ...{ statusHistory: [], exceptions: actions.map((action) => ({ action })) },
    order: { budAddress: { address: 'Elm Street 4', ...DOOR } },
    scrub: { fullname: 'Grace Hopper', addresses: [{ address: 'Oak Street 9', ...SCRUB }] },
  };
  const position = { ...DOOR, at: new Date().toISOString(), accuracy: 5 };
  const shown = delivery as unknown as Delivery;
  return renderToStaticMarkup(<LastSeen delivery={shown} position={position} />).replace(/<[^>]+>/g, '');
}

test('the last position is said with its distance to the next stop', () => {
  expect(read('Way_To_Pick', false)).toMatch(/^Bob was last seen .*, close to the pickup\.$/);
  expect(read('Failed', true, 'drop-failed')).toMatch(/ from the drop\.$/);
});

test('no distance is said after laundry was handed on, also once the next Duber could not hand it over', () => {
  expect(read('Way_To_Pick', false, 'relay')).not.toContain('pickup');
  expect(read('Failed', false, 'relay', 'pickup-failed')).not.toContain(' from the ');
  expect(read('Failed', true, 'relay', 'drop-failed')).not.toContain(' from the ');
  expect(read('Failed', true, 'relay', 'report-lost')).not.toContain(' from the ');
  expect(read('Called_Off', false, 'relay', 'call-off')).toContain(' from the drop.');
});
