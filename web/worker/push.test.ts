import { describe, expect, test } from 'vitest';
import { parsePush, toAppRoute } from './push.ts';

const ORIGIN = 'https://rubadub.test';

describe('a push message', () => {
  test('is shown as the server sent it', () => {
    const message = { title: 'New job', body: 'Somebody asks for you.', url: '/#/scrub/jobs/7', tag: 'order-7' };
    expect(parsePush(JSON.stringify(message), ORIGIN)).toEqual(message);
    expect(parsePush(JSON.stringify({ ...message, url: `${ORIGIN}/#/scrub/jobs/7` }), ORIGIN)).toEqual(message);
  });

  test('that cannot be parsed shows a generic text', () => {
    for (const data of [undefined, '', 'x', '7', 'null', '[]', '{"title":7}']) {
      expect(parsePush(data, ORIGIN)).toEqual({ title: 'Rubadub', body: 'You have a new update.', url: '/', tag: '' });
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
  ])('with the link %j opens the start page of the app', (url) => {
    expect(toAppRoute(url, ORIGIN)).toBe('/');
  });
});
