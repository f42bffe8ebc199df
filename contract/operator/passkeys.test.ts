import { expect, test } from 'vitest';
import { MadePasskey } from './passkeys.ts';

test('a browser names its transports in letters, which the database can store', () => {
  const made = (transports: string[]) =>
    MadePasskey.safeParse({
      ...{ id: 'abc', rawId: 'abc', type: 'public-key' },
      response: { clientDataJSON: 'abc', attestationObject: 'abc', transports },
    }).success;
  expect(made(['usb', 'smart-card', 'hybrid'])).toBe(true);
  for (const wrong of ['usb\u0000', '\ud800', '', 'a'.repeat(31)]) expect(made([wrong])).toBe(false);
});
