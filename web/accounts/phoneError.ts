import { validatePhoneNumberLength } from 'libphonenumber-js/min';

// spec 8
const PHONE_ERRORS = {
  NOT_A_NUMBER: 'It has to be digits, with + and the country first.',
  INVALID_COUNTRY: 'No country has this code after the +.',
  TOO_SHORT: 'It is too short for this country.',
  TOO_LONG: 'It is too long for this country.',
  INVALID_LENGTH: 'No number of this country has this length.',
} as const;

/** The error message for a phone number in international format, or undefined when it is valid. */
export function phoneError(value: string): string | undefined {
  if (value === '') return undefined;
  const code = validatePhoneNumberLength(value);
  return code === undefined ? undefined : PHONE_ERRORS[code];
}
