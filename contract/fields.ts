import { z } from 'zod';
import {
  findPasswordProblem,
  isEmailAddress,
  OTP_LENGTH,
  type PasswordProblem,
  SIGN_IN_PASSWORD_MINIMUM,
} from '../domain/accounts.ts';
import { RATING_FROM, RATING_TO, REVIEW_MESSAGE_MINIMUM } from '../domain/reviews.ts';

/** Names a rule for the `constraints` of a validation error. */
const constraint = (name: string) => ({ params: { constraint: name } });

const isAbsent = (input: unknown) => input === undefined || input === null;

// PostgreSQL cannot store NUL or half a surrogate pair, and nobody types the other control characters.
// biome-ignore lint/suspicious/noControlCharactersInRegex: this matches control characters on purpose
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]|\p{Surrogate}/u;

type TextOptions = { readonly required: string; readonly name: string; readonly max?: number };

/** Required text: trimmed, without control characters, `max` characters at most. */
export function text({ required, name, max = 300 }: TextOptions) {
  return z
    .string({ error: ({ input }) => (isAbsent(input) ? required : `${name} must be text`) })
    .trim()
    .refine((value) => value.length > 0, { error: required, ...constraint('isNotEmpty') })
    .refine((value) => !CONTROL_CHARACTERS.test(value), {
      error: `${name} must not contain control characters`,
      ...constraint('isPrintable'),
    })
    .refine((value) => value.length <= max, {
      error: `${name} must be at most ${max} characters`,
      ...constraint('maxLength'),
    });
}

/** Text that may be missing, null or blank; blank becomes null. */
export function optionalText(name: string, max: number) {
  return z
    .string({ error: `${name} must be text` })
    .trim()
    .refine((value) => !CONTROL_CHARACTERS.test(value), {
      error: `${name} must not contain control characters`,
      ...constraint('isPrintable'),
    })
    .refine((value) => value.length <= max, {
      error: `${name} must be at most ${max} characters`,
      ...constraint('maxLength'),
    })
    .transform((value) => (value === '' ? null : value))
    .nullish();
}

/** An e-mail address. In spec 5 the two messages differ from form to form. */
export function email(required: string, invalid: string) {
  return text({ required, name: 'Email', max: 254 }).refine(isEmailAddress, {
    error: invalid,
    ...constraint('isEmail'),
  });
}

const passwordText = (required: string) =>
  z
    .string({ error: ({ input }) => (isAbsent(input) ? required : 'Password must be text') })
    .refine((value) => value.length > 0, { error: required, ...constraint('isNotEmpty') })
    .refine((value) => value.length <= 200, {
      error: 'Password must be at most 200 characters',
      ...constraint('maxLength'),
    });

// spec 5
export const signInPassword = passwordText('Password is required').refine((v) => v.length >= SIGN_IN_PASSWORD_MINIMUM, {
  error: 'Password must be at least 6 characters',
  ...constraint('minLength'),
});

// spec 5
const PASSWORD_MESSAGES: Record<PasswordProblem, string> = {
  short: 'Password must be at least 8 characters',
  'no-uppercase': 'Password must contain at least 1 uppercase letter (A-Z)',
  'no-digit': 'Password must contain at least 1 numeric value (0-9)',
  'no-lowercase': 'Password must contain at least 1 lowercase letter (a-z)',
  'no-special': 'Password must contain at least 1 special character (!@#$%^&*()-_=+{};:,<.>)',
};

export const newPassword = passwordText('Password is required').superRefine((value, context) => {
  const problem = findPasswordProblem(value);
  if (problem) context.addIssue({ code: 'custom', message: PASSWORD_MESSAGES[problem], ...constraint(problem) });
});

// spec 5
export const otp = text({ required: 'OTP code is required', name: 'OTP code', max: 100 }).refine(
  (value) => value.length === OTP_LENGTH && /^\d+$/.test(value),
  { error: 'OTP code must be 6 digits', ...constraint('isOtp') },
);

// The full check needs a library that is larger than the sign-in page, so it is injected where it is needed.
let isPossiblePhone = (value: string): boolean => /^\+[1-9]\d{6,14}$/.test(value);
export function setPhoneValidator(check: (value: string) => boolean): void {
  isPossiblePhone = check;
}

const PHONE_RAW_MAXIMUM = 250; // spec 5

/** A phone number in international format, '+' and digits only; may be missing, null or blank. */
export function phone(invalid: string) {
  return z
    .string({ error: invalid })
    .trim()
    .refine(
      (value) => value === '' || (value.length <= PHONE_RAW_MAXIMUM && /^\+\d+$/.test(value) && isPossiblePhone(value)),
      {
        error: invalid,
        ...constraint('isPhoneNumber'),
      },
    )
    .transform((value) => (value === '' ? null : value))
    .nullish();
}

const LOCATION_MISSING = 'Please select location on map'; // spec 5
const coordinate = (name: string) =>
  z.number({ error: ({ input }) => (isAbsent(input) ? LOCATION_MISSING : `${name} must be a number`) });

export const latitude = coordinate('Latitude').refine((value) => value >= -90 && value <= 90, {
  error: 'Latitude must be between -90 and 90',
  ...constraint('isLatitude'),
});

export const longitude = coordinate('Longitude').refine((value) => value >= -180 && value <= 180, {
  error: 'Longitude must be between -180 and 180',
  ...constraint('isLongitude'),
});

export function flag(name: string) {
  return z.boolean({ error: `${name} must be true or false` });
}

export function oneOf<const T extends readonly [string, ...string[]]>(values: T, error: string) {
  return z.enum(values, { error });
}

export function id(name: string) {
  return z.guid({ error: `${name} must be an id` }).transform((value) => value.toLowerCase());
}

// spec 5
export const rating = z
  .int({ error: 'Please select a rating' })
  .refine((value) => value >= RATING_FROM && value <= RATING_TO, {
    error: 'Please select a rating',
    ...constraint('isRating'),
  });

// spec 5
export const reviewMessage = text({ required: 'Please provide a review message', name: 'Review', max: 2000 }).refine(
  (value) => value.length >= REVIEW_MESSAGE_MINIMUM,
  { error: 'Review message must be at least 10 characters', ...constraint('minLength') },
);

/** A number in a query string. */
export function numberInQuery(schema: z.ZodType<number, number>, error: string) {
  return z
    .string({ error })
    .refine((value) => /^-?\d+(\.\d+)?$/.test(value), { error, ...constraint('isNumber') })
    .transform(Number)
    .pipe(schema);
}

// For answers.
export const time = z.iso.datetime().describe('ISO 8601, UTC');
export const money = z.number().describe('dollars, at most 2 decimals');
export const uuid = z.guid().describe('UUIDv7');
export const strict = z.strictObject;
