import { expect, test } from 'vitest';
import { findLost, findRepeats } from './mails.ts';

const mail = (messageId: string, text = 'Your order R-7 was accepted') => ({ subject: 'Accepted', text, messageId });
const NO_DETOURS = new Map<string, number>();

test('two mails that were queued for the same thing are found', () => {
  const tries = new Map([['<a>', 1]]);
  expect(findRepeats([mail('<a>'), mail('<b>')], NO_DETOURS, tries)).toEqual({
    unexplained: ['2 mails say "Accepted"'],
    sentAgain: [],
  });
});

test('a mail that came more often than it was sent is found', () => {
  expect(findRepeats([mail('<a>'), mail('<a>')], NO_DETOURS, new Map([['<a>', 1]])).unexplained).toEqual([
    '"Accepted" came 2 times',
  ]);
});

test('a mail that was sent again after a crash is only counted', () => {
  expect(findRepeats([mail('<a>'), mail('<a>')], NO_DETOURS, new Map([['<a>', 2]]))).toEqual({
    unexplained: [],
    sentAgain: ['"Accepted" came 2 times'],
  });
});

test('a repeated exception expects another mail', () => {
  const detours = new Map([['R-7', 1]]);
  expect(findRepeats([mail('<a>'), mail('<b>')], detours, new Map([['<b>', 1]])).unexplained).toEqual([]);
});

test('a mail that was sent and did not arrive is found, also when another one came twice', () => {
  const sent = ['<a>', '<b>'].map((id) => ({ id, kind: 'accepted', failure: null }));
  expect(findLost([mail('<a>'), mail('<b>')], sent)).toEqual([]);
  expect(findLost([mail('<a>'), mail('<a>')], sent)).toEqual(['"accepted" <b> was sent, and did not arrive']);
});

test('a mail that a worker has given up is lost', () => {
  const stored = [{ id: '<a>', kind: 'placed', failure: '550 no such person' }];
  expect(findLost([], stored)).toEqual(['"placed" <a> was given up: 550 no such person']);
});
