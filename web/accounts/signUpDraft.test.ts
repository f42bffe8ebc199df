import { expect, test } from 'vitest';
import { chooseRole, EMPTY_SIGN_UP, type SignUpValues, stepErrors, toSignUpBody } from './signUpDraft.ts';

const COMPLETE: SignUpValues = {
  role: 'Bud',
  fullname: 'Ada Byron',
  email: 'ada@example.org',
  emailOtp: '123456',
  password: 'Rubadub1!',
  confirmPassword: 'Rubadub1!',
  phone: '',
  address: '12 Heron Street',
  location: { label: '', lat: 24, lng: 67, source: 'map' },
};

test('the first step needs a role', () => {
  expect(stepErrors(1, EMPTY_SIGN_UP)).toEqual({ role: 'Please select your role' });
  expect(stepErrors(1, COMPLETE)).toEqual({});
});

test('the second step reports every missing field, from top to bottom', () => {
  expect(Object.entries(stepErrors(2, EMPTY_SIGN_UP))).toEqual([
    ['fullname', 'Full Name is required'],
    ['email', 'Email is required'],
    ['emailOtp', 'OTP code is required'],
    ['password', 'Password is required'],
    ['confirmPassword', 'Please confirm your password'],
  ]);
});

test.each([
  ['Short1!', 'Password must be at least 8 characters'],
  ['rubadub1!', 'Password must contain at least 1 uppercase letter (A-Z)'],
  ['Rubadubb!', 'Password must contain at least 1 numeric value (0-9)'],
  ['RUBADUB1!', 'Password must contain at least 1 lowercase letter (a-z)'],
  ['Rubadub11', 'Password must contain at least 1 special character (!@#$%^&*()-_=+{};:,<.>)'],
])('the password %s is refused with the first rule that it breaks', (password, words) => {
  expect(stepErrors(2, { ...COMPLETE, password, confirmPassword: password })).toEqual({ password: words });
});

test('a wrong e-mail address, code and password confirmation each have their message', () => {
  const wrong = { ...COMPLETE, email: 'ada@example', emailOtp: '12345', confirmPassword: 'Rubadub2!' };
  expect(stepErrors(2, wrong)).toEqual({
    email: 'Email is invalid',
    emailOtp: 'OTP code must be 6 digits',
    confirmPassword: 'Passwords do not match',
  });
});

test('the third step needs an address and a pin; the phone is optional', () => {
  expect(stepErrors(3, EMPTY_SIGN_UP)).toEqual({
    address: 'Address is required',
    location: 'Please select location on map',
  });
  expect(stepErrors(3, COMPLETE)).toEqual({});
  expect(stepErrors(3, { ...COMPLETE, phone: '+12' })).toEqual({ phone: 'Please enter a valid phone' });
  expect(stepErrors(3, { ...COMPLETE, phone: '+12025550123' })).toEqual({});
});

test('the request labels the address Default and never contains the repeated password', () => {
  expect(toSignUpBody(COMPLETE)).toEqual({
    email: 'ada@example.org',
    emailOtp: '123456',
    fullname: 'Ada Byron',
    password: 'Rubadub1!',
    role: 'Bud',
    phone: null,
    address: { address: '12 Heron Street', label: 'Default', latitude: 24, longitude: 67 },
  });
});

test('a role that was chosen on the landing page is preselected, and nothing else changes', () => {
  const draft = { step: 1, otpSentTo: '', values: { ...EMPTY_SIGN_UP, fullname: 'Nova' } } as const;
  expect(chooseRole(draft, 'Scrub')).toEqual({ ...draft, values: { ...draft.values, role: 'Scrub' } });
  expect(chooseRole(draft, undefined)).toBe(draft);
});
