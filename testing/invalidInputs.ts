import { REVIEW } from './orderSteps.ts';
import { PASSWORD } from './testServer.ts';

export const UNKNOWN_ID = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';

export const validAddress = { address: '7 Otter Lane, Soapwick', label: 'Default', latitude: 24, longitude: 67 };
export const validSignUp = {
  email: 'new@rubadub.test',
  emailOtp: '123456',
  fullname: 'New Bud',
  password: PASSWORD,
  role: 'Bud',
  phone: '+12025550123',
  address: validAddress,
};
const validLogin = { email: 'a@b.co', password: PASSWORD };
const SPECIAL_CHARACTER_MESSAGE = 'Password must contain at least 1 special character (!@#$%^&*()-_=+{};:,<.>)';
const OTP_DIGITS_MESSAGE = 'OTP code must be 6 digits';
const INVISIBLE_MESSAGE = 'Full Name must not contain invisible characters: type it instead of pasting it';
const WEB_ADDRESS_MESSAGE = 'Full Name must not contain a web address: put a space after each dot';
export const LOCATION_MESSAGE = 'Please select location on map';

type InvalidInput = readonly [path: string, base: object, property: string, value: unknown, message: string];

// spec 5, row by row; the screens show the same messages.
export const INVALID_INPUTS: readonly InvalidInput[] = [
  ['/auth/login', validLogin, 'email', undefined, 'Email is required'],
  ['/auth/login', validLogin, 'email', '  ', 'Email is required'],
  ['/auth/login', validLogin, 'email', 'ada', 'Email is invalid'],
  ['/auth/login', validLogin, 'email', 'ada@example', 'Email is invalid'],
  ['/auth/login', validLogin, 'password', undefined, 'Password is required'],
  ['/auth/login', validLogin, 'password', '', 'Password is required'],
  ['/auth/login', validLogin, 'password', '12345', 'Password must be at least 6 characters'],
  ['/auth/signUp', validSignUp, 'role', undefined, 'Please select your role'],
  ['/auth/signUp', validSignUp, 'role', 'Admin', 'Please select your role'],
  ['/auth/signUp', validSignUp, 'fullname', ' ', 'Full Name is required'],
  ['/auth/signUp', validSignUp, 'fullname', 'Ada\r\nBcc: eve@example', 'Full Name must be a single line of text'],
  ['/auth/signUp', validSignUp, 'fullname', 'Ada\u2028Byron', 'Full Name must be a single line of text'],
  ['/auth/signUp', validSignUp, 'fullname', 'Ada \u202Enoryb', INVISIBLE_MESSAGE],
  ['/auth/signUp', validSignUp, 'fullname', 'A\u00ADda', INVISIBLE_MESSAGE],
  ['/auth/signUp', validSignUp, 'fullname', '\u2800', 'Full Name is required'],
  ['/auth/signUp', validSignUp, 'fullname', 'Pay at evil.example', WEB_ADDRESS_MESSAGE],
  ['/auth/signUp', validSignUp, 'fullname', 'https://evil', WEB_ADDRESS_MESSAGE],
  ['/profile', {}, 'fullname', 'Ada\nByron', 'Full Name must be a single line of text'],
  ['/profile', {}, 'fullname', 'Ada \u202Enoryb', INVISIBLE_MESSAGE],
  ['/profile', {}, 'fullname', 'evil.example', WEB_ADDRESS_MESSAGE],
  ['/profile/create-address', validAddress, 'label', 'Home\tOffice', 'Label must not contain control characters'],
  ['/profile/create-address', validAddress, 'address', '7 Otter\nLane', 'Address must be a single line of text'],
  ['/auth/signUp', validSignUp, 'email', 'mi\u212Ae@example.org', 'Email is invalid'],
  ['/auth/send-otp-for-email', {}, 'email', 'mi\u212Ae@example.org', 'Please enter a valid email address'],
  ['/auth/signUp', validSignUp, 'email', null, 'Email is required'],
  ['/auth/signUp', validSignUp, 'email', 'a@b@c.d', 'Email is invalid'],
  ['/auth/send-otp-for-email', {}, 'email', undefined, 'Email is required to send OTP'],
  ['/auth/send-otp-for-email', {}, 'email', '', 'Email is required to send OTP'],
  ['/auth/send-otp-for-email', {}, 'email', 'ada', 'Please enter a valid email address'],
  ['/auth/forgot-password', {}, 'email', undefined, 'Email is required'],
  ['/auth/forgot-password', {}, 'email', 'ada', 'Please enter a valid email address'],
  ...(['/auth/signUp', '/auth/reset-password'] as const).flatMap((path): InvalidInput[] => {
    const [base, name] = path === '/auth/signUp' ? [validSignUp, 'password'] : [{ token: 'x' }, 'newPassword'];
    return [
      [path, base, name, undefined, 'Password is required'],
      [path, base, name, '', 'Password is required'],
      [path, base, name, 'Aa1!', 'Password must be at least 8 characters'],
      [path, base, name, 'short', 'Password must be at least 8 characters'],
      [path, base, name, 'aaaaaaaa', 'Password must contain at least 1 uppercase letter (A-Z)'],
      [path, base, name, 'AAAAaaaa', 'Password must contain at least 1 numeric value (0-9)'],
      [path, base, name, 'AAAAAAA1', 'Password must contain at least 1 lowercase letter (a-z)'],
      [path, base, name, 'AAAAaaa1', SPECIAL_CHARACTER_MESSAGE],
    ];
  }),
  ['/auth/reset-password', { newPassword: PASSWORD }, 'token', undefined, 'Invalid or missing reset token'],
  ['/auth/signUp', validSignUp, 'emailOtp', undefined, 'OTP code is required'],
  ['/auth/signUp', validSignUp, 'emailOtp', '', 'OTP code is required'],
  ['/auth/signUp', validSignUp, 'emailOtp', '12345', OTP_DIGITS_MESSAGE],
  ['/auth/signUp', validSignUp, 'emailOtp', '1234567', OTP_DIGITS_MESSAGE],
  ['/auth/signUp', validSignUp, 'emailOtp', '12345a', OTP_DIGITS_MESSAGE],
  ['/auth/signUp', validSignUp, 'emailOtp', '١٢٣٤٥', OTP_DIGITS_MESSAGE],
  ...[
    '12025550123',
    '+1 202 555 0123',
    '+1',
    '+999123456789',
    '+12025550123456789',
    'x',
    `+${'1'.repeat(300)}`,
  ].flatMap((phone): InvalidInput[] => [
    ['/auth/signUp', validSignUp, 'phone', phone, 'Please enter a valid phone'],
    ['/profile', {}, 'phone', phone, 'Invalid phone number'],
  ]),
  ['/profile', {}, 'fullname', '', 'Full Name is required'],
  ['/auth/signUp', validSignUp, 'address', undefined, 'Address is required'],
  [
    '/scrub-orders/:order/review-to-scrub',
    { ...REVIEW, scrubId: UNKNOWN_ID },
    'rating',
    undefined,
    'Please select a rating',
  ],
  ...[0, 6, 4.5, '5', null, -1].map((rating): InvalidInput => {
    const base = { ...REVIEW, scrubId: UNKNOWN_ID };
    return ['/scrub-orders/:order/review-to-scrub', base, 'rating', rating, 'Please select a rating'];
  }),
  ...[undefined, '', '   '].map((message): InvalidInput => {
    const base = { ...REVIEW, scrubId: UNKNOWN_ID };
    return ['/scrub-orders/:order/review-to-scrub', base, 'message', message, 'Please provide a review message'];
  }),
  [
    '/scrub-orders/:order/review-to-scrub',
    { ...REVIEW, scrubId: UNKNOWN_ID },
    'message',
    '  ninechars ',
    'Review message must be at least 10 characters',
  ],
  ['/profile/create-address', validAddress, 'label', '', 'Label is required'],
  ['/profile/create-address', validAddress, 'address', undefined, 'Address is required'],
  ['/profile/create-address', validAddress, 'latitude', undefined, LOCATION_MESSAGE],
  ['/profile/create-address', validAddress, 'longitude', null, LOCATION_MESSAGE],
  ['/profile/create-address', validAddress, 'latitude', 90.0001, 'Latitude must be between -90 and 90'],
  ['/profile/create-address', validAddress, 'longitude', -180.5, 'Longitude must be between -180 and 180'],
  ['/profile/create-address', validAddress, 'latitude', '24', 'Latitude must be a number'],
  ['/scrub-orders/calculate-price', {}, 'loadSize', undefined, 'Please select a load size'],
  ['/scrub-orders/calculate-price', {}, 'loadSize', 'Huge', 'Please select a load size'],
];

/** Values of every wrong type, and some that break databases or parsers. */
export const HOSTILE_VALUES: readonly unknown[] = [
  null,
  0,
  -1,
  1e308,
  true,
  '',
  ' ',
  'x',
  '\u0000',
  'a\u0000b@example.org',
  '\ud800',
  '\u202e',
  '😀'.repeat(2000),
  "'; drop table users; --",
  [],
  [[[[]]]],
  {},
  { toString: 'x' },
  '../../etc/passwd',
  '%00',
];
