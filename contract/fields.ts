import { z } from 'zod';
import {
  findPasswordProblem,
  isEmailAddress,
  OTP_LENGTH,
  type PasswordProblem,
  SIGN_IN_PASSWORD_MINIMUM,
  wasEmailAddress,
} from '../domain/accounts.ts';
import { RATING_FROM, RATING_TO, REVIEW_MESSAGE_MINIMUM } from '../domain/reviews.ts';
import {
  findTextProblem,
  hasControlCharacter,
  normalizeText,
  type TextProblem,
  type TextRule,
} from '../domain/texts.ts';
import { withoutSeparators } from '../domain/typed.ts';

/** Names a rule for the `constraints` of a validation error. */
const constraint = (name: string) => ({ params: { constraint: name } });

const isAbsent = (input: unknown) => input === undefined || input === null;

type TextOptions = { readonly required: string; readonly name: string; readonly max?: number };

/** Required text, `max` characters at most, counted after it was normalized by the rule, or trimmed without one. */
function requiredText({ required, name, max = 300 }: TextOptions, rule?: TextRule) {
  return z
    .string({ error: ({ input }) => (isAbsent(input) ? required : `${name} must be text`) })
    .overwrite((value) => (rule ? normalizeText(value, rule) : value.trim()))
    .refine((value) => value.length > 0, { error: required, ...constraint('isNotEmpty') })
    .refine((value) => Math.min(value.length, value.normalize('NFC').length) <= max, maxLength(name, max));
}

const maxLength = (name: string, max: number) => ({
  error: `${name} must be at most ${max} characters`,
  ...constraint('maxLength'),
});

const TEXT_MESSAGES: Record<Exclude<TextProblem, 'empty'>, string> = {
  'several-lines': 'must be a single line of text',
  control: 'must not contain control characters',
  invisible: 'must not contain invisible characters: type it instead of pasting it',
  'web-address': 'must not contain a web address: put a space after each dot',
};
const TEXT_CONSTRAINTS: Record<TextProblem, string> = {
  empty: 'isNotEmpty',
  'several-lines': 'isSingleLine',
  control: 'isPrintable',
  invisible: 'isVisible',
  'web-address': 'isName',
};

/** A check that refuses normalized texts that break the rules of `domain/texts.ts`. */
function textCheck(rule: TextRule, { required, name }: TextOptions) {
  return (value: string, context: z.RefinementCtx<string>) => {
    const problem = findTextProblem(value, rule);
    if (problem === undefined) return;
    const message = problem === 'empty' ? required : `${name} ${TEXT_MESSAGES[problem]}`;
    context.addIssue({ code: 'custom', message, ...constraint(TEXT_CONSTRAINTS[problem]) });
  };
}

const textBy = (rule: TextRule) => (options: TextOptions) =>
  requiredText(options, rule).superRefine(textCheck(rule, options));

/** Required text of one line. */
export const text = textBy({ lines: 'one' });
/** Required text of several lines. */
export const longText = textBy({ lines: 'many' });
/** The name of a person. */
export const personName = textBy({ lines: 'one', isName: true });

/** What somebody searches for. */
export const searchText = (name: string, max: number) =>
  z
    .string({ error: `${name} must be text` })
    // As names and addresses are stored.
    .overwrite((value) => value.trim().normalize('NFC'))
    .max(max, maxLength(name, max))
    .refine((value) => !hasControlCharacter(value), {
      error: `${name} must not contain control characters`,
      ...constraint('isPrintable'),
    });

/** Text that may be missing, null or blank; blank becomes null. */
export function optionalText(name: string, max: number, lines: TextRule['lines']) {
  return z
    .string({ error: `${name} must be text` })
    .overwrite((value) => normalizeText(value, { lines }))
    .superRefine(textCheck({ lines }, { required: `${name} must contain something to read`, name }))
    .refine((value) => value.length <= max, maxLength(name, max))
    .transform((value) => (value === '' ? null : value))
    .nullish();
}

/**
 * Text that may be a stored one from before the rules of `domain/texts.ts`. The server refuses it unless it is unchanged or
 * keeps them, see `checkEditedTexts`.
 */
export function editedText(options: TextOptions) {
  return requiredText(options).refine((value) => !hasControlCharacter(value), {
    error: `${options.name} must not contain control characters`,
    ...constraint('isPrintable'),
  });
}

// An address is not normalized here: those of earlier releases are looked up as they were typed.
const emailText = (required: string) => editedText({ required, name: 'Email', max: 254 });

/** An e-mail address. In spec 5 the two messages differ from form to form. */
export function email(required: string, invalid: string) {
  return emailText(required).refine(isEmailAddress, { error: invalid, ...constraint('isEmail') });
}

/** An e-mail address that may have an account, including those that nobody can sign up with any more. */
export function accountEmail(required: string, invalid: string) {
  return emailText(required).refine((value) => isEmailAddress(value) || wasEmailAddress(value), {
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

/** The password that a signed-in user types again to prove who they are. */
export const currentPassword = passwordText('Current password is required');

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
export const otp = text({ required: 'OTP code is required', name: 'OTP code', max: 100 })
  .overwrite(withoutSeparators)
  .refine((value) => value.length === OTP_LENGTH && /^\d+$/.test(value), {
    error: 'OTP code must be 6 digits',
    ...constraint('isOtp'),
  });

// The full check needs a library that is larger than the sign-in page, so it is injected where it is needed.
let isValidPhone = (value: string): boolean => /^\+[1-9]\d{6,14}$/.test(value);
export function setPhoneValidator(check: (value: string) => boolean): void {
  isValidPhone = check;
}

const PHONE_RAW_MAXIMUM = 250; // spec 5

/** A phone number in international format, '+' and digits only; may be missing, null or blank. */
export function phone(invalid: string) {
  return z
    .string({ error: invalid })
    .trim()
    .refine(
      (value) => value === '' || (value.length <= PHONE_RAW_MAXIMUM && /^\+\d+$/.test(value) && isValidPhone(value)),
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

/** How exact a phone says that its place is. */
export const accuracy = z
  .number({ error: 'accuracy must be a number' })
  .refine((value) => value >= 0, { error: 'accuracy must be 0 or more', ...constraint('isAccuracy') })
  .describe('the radius in meters within which the phone probably is')
  .optional();

export function flag(name: string) {
  return z.boolean({ error: `${name} must be true or false` });
}

export function oneOf<const T extends readonly string[]>(values: T, error: string) {
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
export const reviewMessage = longText({
  required: 'Please provide a review message',
  name: 'Review',
  max: 2000,
}).refine((value) => value.length >= REVIEW_MESSAGE_MINIMUM, {
  error: 'Review message must be at least 10 characters',
  ...constraint('minLength'),
});

/** A number in a query string. */
export function numberInQuery(schema: z.ZodType<number, number>, error: string) {
  return z
    .string({ error })
    .refine((value) => /^-?\d+(\.\d+)?$/.test(value), { error, ...constraint('isNumber') })
    .transform(Number)
    .pipe(schema);
}

const wholeNumberError = (name: string, from: number, to: number) =>
  `${name} must be a whole number from ${from} to ${to}`;

/** A whole number in a body. */
export const wholeNumber = (name: string, from: number, to: number) => {
  const error = wholeNumberError(name, from, to);
  return z.int({ error }).min(from, { error }).max(to, { error });
};

/** Whether dollars have at most 2 decimals, as far as binary fractions can say. */
export const hasCents = (dollars: number) => Math.abs(dollars * 100 - Math.round(dollars * 100)) < 1e-6;

/** A whole number in a query, with a default. */
export const integerParameter = (name: string, from: number, to: number, otherwise: number) => {
  const error = wholeNumberError(name, from, to);
  return z
    .string({ error })
    .refine((value) => /^\d{1,9}$/.test(value) && Number(value) >= from && Number(value) <= to, {
      error,
      params: { constraint: 'isInt' },
    })
    .transform(Number)
    .default(otherwise);
};

/** A time in a request. */
export const instant = (name: string) => z.iso.datetime({ error: `${name} must be a time in ISO 8601, UTC` });

// For answers.
export const time = z.iso.datetime().describe('ISO 8601, UTC');
export const money = z.number().describe('dollars, at most 2 decimals');
export const uuid = z.guid().describe('UUIDv7');
export const orderNumber = z
  .string()
  .regex(/^R-\d+$/)
  .describe('what people say instead of the id: R-1042');
export const strict = z.strictObject;

/** A place that a phone tells. */
export const phonePlace = strict({ latitude, longitude, accuracy });
