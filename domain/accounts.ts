export const ROLES = ['Bud', 'Scrub', 'Duber'] as const;
export type Role = (typeof ROLES)[number];

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** Ids of authenticated users. Only the session check makes them. */
export type BudId = Branded<'Bud'>;
export type ScrubId = Branded<'Scrub'>;
export type DuberId = Branded<'Duber'>;
export type UserId = BudId | ScrubId | DuberId;

export type Caller =
  | { readonly role: 'Bud'; readonly id: BudId }
  | { readonly role: 'Scrub'; readonly id: ScrubId }
  | { readonly role: 'Duber'; readonly id: DuberId };

/** A session that is not used for this long expires. */
export const SESSION_LIFETIME_S = 30 * 24 * 60 * 60;
/** The time of last use is updated no more often than this. */
export const SESSION_TOUCH_INTERVAL_S = 60;

export const OTP_LENGTH = 6; // spec 9
export const SIGN_IN_PASSWORD_MINIMUM = 6; // spec 9
export const PASSWORD_MINIMUM = 8; // spec 9
export const PASSWORD_SPECIALS = '!@#$%^&*()-_=+{};:,<.>'; // spec 5

/** The first rule that a new password breaks, in the order of spec 5; undefined for a valid one. */
export function findPasswordProblem(password: string): PasswordProblem | undefined {
  if (password.length < PASSWORD_MINIMUM) return 'short';
  if (!/[A-Z]/.test(password)) return 'no-uppercase';
  if (!/[0-9]/.test(password)) return 'no-digit';
  if (!/[a-z]/.test(password)) return 'no-lowercase';
  if (![...password].some((letter) => PASSWORD_SPECIALS.includes(letter))) return 'no-special';
  return undefined;
}
export type PasswordProblem = 'short' | 'no-uppercase' | 'no-digit' | 'no-lowercase' | 'no-special';

/** One @, a dot after it, and no character that makes a mail server see a second address. */
export function isEmailAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+\.[^\s@<>()[\]\\,;:"]+$/.test(text);
}

/** Two spellings of one e-mail address have the same normal form. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** The route of a role's dashboard. */
export function homePathOf(role: Role): string {
  return `/${role.toLowerCase()}/dashboard`;
}
