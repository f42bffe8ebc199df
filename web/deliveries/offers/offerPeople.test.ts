import { expect, test } from 'vitest';
import { offerPeople } from './offerPeople.ts';

const offer = {
  ...{ status: 'Pending', deliveryType: 'Bud_To_Scrub', pickup: null },
  ...{ bud: { fullname: 'Bea B.' }, scrub: { fullname: 'Sol S.' } },
} as const;
const pickup = { latitude: 24.01, longitude: 67 };

test('an offer names the one who gives the laundry and the one who gets it', () => {
  expect(offerPeople(offer, 'recipient')).toEqual({ pickup: 'Bud Bea B.', drop: 'Scrub Sol S.' });
  expect(offerPeople({ ...offer, deliveryType: 'Scrub_To_Bud' }, 'recipient')).toEqual({
    pickup: 'Scrub Sol S.',
    drop: 'Bud Bea B.',
  });
});

test('an offer of relayed laundry does not name the Bud where another Duber waits with it', () => {
  expect(offerPeople({ ...offer, pickup }, 'recipient')).toEqual({ pickup: 'Another Duber', drop: 'Scrub Sol S.' });
  expect(offerPeople({ ...offer, pickup }, 'sender').pickup).toBe('You');
});
