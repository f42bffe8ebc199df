import { isValidPhoneNumber, validatePhoneNumberLength } from 'libphonenumber-js/min';

// spec 8
const PHONE_ERRORS = {
  NOT_A_NUMBER: 'Start with + and the country code, followed by digits only.',
  INVALID_COUNTRY: 'No country uses this code.',
  TOO_SHORT: 'It is too short for this country.',
  TOO_LONG: 'It is too long for this country.',
  INVALID_LENGTH: 'No number in this country has this length.',
} as const;

/** The error message for a phone number in international format, or undefined when it is valid. */
export function phoneError(value: string): string | undefined {
  if (value === '') return undefined;
  const code = validatePhoneNumberLength(value);
  if (code !== undefined) return PHONE_ERRORS[code];
  return isValidPhoneNumber(value) ? undefined : 'No phone has this number.';
}
