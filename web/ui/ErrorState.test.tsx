import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { CallFailed, Unreachable } from '../../contract/callClient.ts';
import { ErrorState } from './ErrorState.tsx';

const textOf = (error: unknown) => renderToStaticMarkup(<ErrorState title="Unable To Get Orders" error={error} />);

test('only a server that nobody reached asks to check the connection', () => {
  expect(textOf(new Unreachable('cut'))).toContain('Check your connection.');
  for (const statusCode of [500, 502, 503, 504, 429, 404]) {
    const text = textOf(new CallFailed(statusCode, undefined, new Headers()));
    expect(text, `${statusCode}`).not.toMatch(/connection/i);
    expect(text.includes('Our server is busy or has a problem.'), `${statusCode}`).toBe(statusCode !== 404);
  }
});
