import { expect, test } from 'vitest';
import { NOT_OF_SCRUB } from './usePlaceOrder.ts';

test('a Bud who may not order now is not sent to another Scrub, who could not change it', () => {
  expect(NOT_OF_SCRUB).toContain('newWorkHeld');
  expect(NOT_OF_SCRUB).not.toContain('scrubUnavailable');
});
