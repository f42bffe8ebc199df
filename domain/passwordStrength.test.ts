import { expect, test } from 'vitest';
import { findPasswordProblem } from './accounts.ts';
import { isEasyToGuess } from './passwordStrength.ts';

// All of them keep the rules of a new password.
const EASY = [
  'Password1!',
  'P@ssw0rd!',
  'Passw0rd123$',
  'Welcome1!',
  'Summer2024!',
  '2024!Winter',
  'Qwerty123!',
  'Qwertz12345!',
  'Rubadub1!',
  'Laundry-2025',
  'Abcd1234!',
  'Aa123456!',
  'Zxcvbn!1',
  'Aaaa1111!',
  'Il0v3Y0u!!',
  'Letmein#99',
];
const HARDER = ['Lantern-Moss-41', 'x7K!9$2mQ', 'Blue4Kettle!', 'Correct-horse-7', 'Wrong1!a0', 'Mj8(paperboat'];

test.each(EASY)('warns about %s, which keeps the rules but is among the first to be tried', (password) => {
  expect(findPasswordProblem(password)).toBeUndefined();
  expect(isEasyToGuess(password)).toBe(true);
});

test.each(HARDER)('does not warn about %s', (password) => {
  expect(findPasswordProblem(password)).toBeUndefined();
  expect(isEasyToGuess(password)).toBe(false);
});
