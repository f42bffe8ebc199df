import { describe, expect, test } from 'vitest';
import { parsePush, toAppRoute } from './push.ts';

const HOME = 'https://rubadub.test';

describe('a push', () => {
  test('is shown as the server wrote it', () => {
    const said = { title: 'New job', body: 'Somebody asks for you.', url: '/#/scrub/jobs/7', tag: 'order-7' };
    expect(parsePush(JSON.stringify(said), HOME)).toEqual(said);
    expect(parsePush(JSON.stringify({ ...said, url: `${HOME}/#/scrub/jobs/7` }), HOME)).toEqual(said);
  });

  test('that cannot be read says at least that there is news', () => {
    for (const data of [undefined, '', 'x', '7', 'null', '[]', '{"title":7}']) {
      expect(parsePush(data, HOME)).toEqual({ title: 'Rubadub', body: 'There is something new.', url: '/', tag: '' });
    }
  });

  test.each([
    'https://evil.test/#/scrub/jobs/7',
    '//evil.test/#/x',
    'javascript:alert(1)',
    'data:text/html,x',
    '/api/docs',
    '/sandbox/mail#/x',
    'https://rubadub.test.evil.test/#/x',
    'http://rubadub.test/#/x',
    '\\\\evil.test\\#/x',
    7,
    null,
    undefined,
    '',
    '/',
    'http://[',
  ])('that would lead to %j leads to the start of the app', (url) => {
    expect(toAppRoute(url, HOME)).toBe('/');
  });
});
