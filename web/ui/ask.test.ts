import { expect, test } from 'vitest';
import { ask, openQuestion } from './ask.ts';

const QUESTION = { title: 'Delete Home?', text: 'Your orders will keep this address.', button: 'Delete' };

test('a question is open until it is answered', async () => {
  const answer = ask(QUESTION);
  expect(openQuestion()).toMatchObject(QUESTION);
  openQuestion()?.answer(true);
  expect(await answer).toBe(true);
  expect(openQuestion()).toBeUndefined();
});

test('a second question is a no to the first one', async () => {
  const first = ask(QUESTION);
  const second = ask({ ...QUESTION, title: 'Delete Work?' });
  expect(await first).toBe(false);
  expect(openQuestion()?.title).toBe('Delete Work?');
  openQuestion()?.answer(false);
  expect(await second).toBe(false);
});
