import { expect, test } from 'vitest';
import { phoneError } from './phoneError.ts';

test.each([
  ['+12025550123', undefined],
  ['', undefined],
  ['abc', 'Start with + and the country code, followed by digits only.'],
  ['+999123456789', 'No country uses this code.'],
  ['+1202', 'It is too short for this country.'],
  ['+10000000000', 'No phone has this number.'],
  ['+15555555555', 'No phone has this number.'],
  ['+120255501234567', 'It is too long for this country.'],
])('the phone number "%s" gets the message %s', (value, words) => {
  expect(phoneError(value)).toBe(words);
});
