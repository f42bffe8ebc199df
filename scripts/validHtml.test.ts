import { expect, test } from 'vitest';
import { findHtmlProblems } from './validHtml.ts';

const pageOf = (body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Rubadub</title></head><body>${body}</body></html>`;

test('a valid page has no problem', async () => {
  expect(
    await findHtmlProblems(
      'page',
      pageOf('<main id="_R_1_"><h1>Laundry</h1><input type="text" aria-label="Name" autoComplete="name"></main>'),
    ),
  ).toEqual([]);
});

test.each([
  ['two main parts', '<main></main><main></main>', 'no-multiple-main'],
  ['a style in the body', '<div><style>p { color: red }</style></div>', 'element-permitted-content'],
  ['an id that is there twice', '<p id="a"></p><p id="a"></p>', 'no-dup-id'],
])('%s are found', async (_what, body, rule) => {
  expect((await findHtmlProblems('page', pageOf(body))).join()).toContain(rule);
});
