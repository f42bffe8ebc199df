// The platform's class, in Node and in browsers. It is the only IDNA that both have, and it touches no network.
declare const URL: new (address: string) => { readonly hostname: string };

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
/** A session expires this long after the sign-in, however often it is used. */
export const SESSION_MAX_AGE_S = 180 * 24 * 60 * 60;
/** When a user signs in on one more device, the session that was not used for the longest time ends. */
export const MAX_SESSIONS_PER_USER = 500;
/** The list shows those that were used last. */
export const MAX_LISTED_SESSIONS = 50;
/** The time of last use is updated no more often than this. */
export const SESSION_TOUCH_INTERVAL_S = 60;

export const OTP_LENGTH = 6; // spec 9
export const SIGN_IN_PASSWORD_MINIMUM = 6; // spec 9
export const PASSWORD_MINIMUM = 8; // spec 9
export const PASSWORD_SPECIALS = '!@#$%^&*()-_=+{};:,<.>'; // spec 5

/**
 * A password in the one spelling that is stored: OpaqueString of RFC 8265. Systems write an accented letter as one character or
 * as two, and a space in several ways.
 */
export const normalizePassword = (password: string): string => password.replaceAll(/\p{Zs}/gu, ' ').normalize('NFC');

/** The first rule that a new password breaks, in the order of spec 5; undefined for a valid one. */
export function findPasswordProblem(typed: string): PasswordProblem | undefined {
  const password = normalizePassword(typed);
  if (password.length < PASSWORD_MINIMUM) return 'short';
  if (!/[A-Z]/.test(password)) return 'no-uppercase';
  if (!/[0-9]/.test(password)) return 'no-digit';
  if (!/[a-z]/.test(password)) return 'no-lowercase';
  if (![...password].some((letter) => PASSWORD_SPECIALS.includes(letter))) return 'no-special';
  return undefined;
}
export type PasswordProblem = 'short' | 'no-uppercase' | 'no-digit' | 'no-lowercase' | 'no-special';

const LOCAL_PART_MAXIMUM = 64;
const ADDRESS_MAXIMUM = 254;
/** ASCII words joined by single dots. Anything else can look like a different name, or be delivered as one. */
const LOCAL_PART = /^[\w!#$%&'*+\-/=?^`{|}~]+(?:\.[\w!#$%&'*+\-/=?^`{|}~]+)*$/;
/** What may be typed: ASCII letters, digits, hyphens and dots, and what IDNA turns into them. */
const TYPED_DOMAIN = /^[A-Za-z0-9.\-\u0080-\u{10ffff}]+$/u;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

type EmailAddress = {
  /** The address that mails go to, and that accounts, codes and limits are stored under. */
  readonly canonical: string;
  /** The same address for its owner to read: in the case that they typed. */
  readonly shown: string;
};

/** An address in its one canonical form. Undefined for text that is not a mailbox that anybody can sign up with. */
export function parseEmail(text: string): EmailAddress | undefined {
  const [local = '', typedDomain = '', ...rest] = text.trim().split('@');
  if (rest.length > 0 || local.length > LOCAL_PART_MAXIMUM || !LOCAL_PART.test(local)) return undefined;
  const domain = toAsciiDomain(typedDomain);
  if (domain === undefined) return undefined;
  const shown = `${local}@${domain}`;
  return shown.length > ADDRESS_MAXIMUM ? undefined : { canonical: shown.toLowerCase(), shown };
}

/** The domain as DNS has it: IDNA, lower case, no dot at the end. Undefined for IP addresses and for one label. */
function toAsciiDomain(typed: string): string | undefined {
  if (!TYPED_DOMAIN.test(typed)) return undefined;
  const host = hostnameOf(typed)?.replace(/\.$/, '');
  const labels = host?.split('.') ?? [];
  const isDomain =
    labels.length > 1 && labels.every((label) => LABEL.test(label)) && /^[a-z]/.test(labels.at(-1) ?? '');
  return isDomain ? host : undefined;
}

function hostnameOf(domain: string): string | undefined {
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return undefined;
  }
}

export function isEmailAddress(text: string): boolean {
  return parseEmail(text) !== undefined;
}

/**
 * The rule of earlier releases: an @, a dot after it, and no character that makes a mail server see a second address.
 * Their accounts can still sign in and reset their passwords.
 */
export function wasEmailAddress(text: string): boolean {
  const [local = '', domain = '', ...rest] = text.split('@');
  const isOneAddress = rest.length === 0 && local !== '' && !/[\s<>()[\]\\,;:"]/.test(text);
  return isOneAddress && text.length <= ADDRESS_MAXIMUM && domain.slice(1, -1).includes('.');
}

const KELVIN_SIGN = '\u212a';

/**
 * How earlier releases stored an address: in lower case. They also made an ordinary k of the Kelvin sign, the only
 * character outside ASCII whose lower case is ASCII, and so gave one person's address to another. It stays as it is here.
 */
export function earlierEmailKey(email: string): string {
  const parts = email.trim().split(KELVIN_SIGN);
  return parts.map((part) => part.toLowerCase()).join(KELVIN_SIGN);
}

/** Two spellings of one e-mail address have the same normal form. Accounts, codes and limits are stored under it. */
export function normalizeEmail(email: string): string {
  return parseEmail(email)?.canonical ?? earlierEmailKey(email);
}

/** The route of a role's dashboard. */
export function homePathOf(role: Role): string {
  return `/${role.toLowerCase()}/dashboard`;
}
