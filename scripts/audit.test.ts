import { expect, test } from 'vitest';
import { readAuditReport } from './audit.ts';

const advisory = { title: 'Prototype pollution', url: 'https://github.com/advisories/GHSA-1', severity: 'high' };

test('an audit that finds vulnerabilities lists each once and fails', () => {
  const vulnerabilities = { a: { via: ['b'] }, b: { via: [advisory] } };
  const { code, text } = readAuditReport(JSON.stringify({ vulnerabilities }));
  expect(code).toBe(1);
  expect(text.split('\n')).toEqual([
    'high: b: Prototype pollution (https://github.com/advisories/GHSA-1)',
    expect.stringContaining('1 known vulnerabilities'),
  ]);
});

test('an audit that finds nothing succeeds', () => {
  expect(readAuditReport('{"vulnerabilities":{}}')).toEqual({ code: 0, text: expect.stringContaining('No package') });
});

test('a registry without advisories is never reported as "nothing found"', () => {
  const refusal = { message: '405 Method Not Allowed - POST https://r/advisories/bulk', statusCode: 405, error: {} };
  for (const json of [JSON.stringify(refusal), '', 'not JSON', '{"error":{"summary":"no network"}}']) {
    const { code, text } = readAuditReport(json);
    expect(code, json).toBe(2);
    expect(text).toContain('Nothing was checked. Instead');
  }
  expect(readAuditReport(JSON.stringify(refusal)).text).toContain('405 Method Not Allowed');
});
