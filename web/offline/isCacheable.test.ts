import { expect, test } from 'vitest';
import { custodyKey, routeKey } from '../api/queryKeys.ts';
import { isCacheable } from './isCacheable.ts';

test('what a person saw stays on their device, but no PIN, no codes of bags and no position', () => {
  for (const key of [['orders', 'one', '1'], ['orders', 'list', 1], ['deliveries', 'one', '1'], ['profile']])
    expect(isCacheable(key), String(key)).toBe(true);
  for (const key of [[...custodyKey('1'), 'Accepted'], routeKey('1'), ['session'], ['cases', 'one', '1']])
    expect(isCacheable(key), String(key)).toBe(false);
});
