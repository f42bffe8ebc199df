import { expect, test } from 'vitest';
import { createRunLog } from '../findings.ts';
import { checkServers } from './servers.ts';

const slot = (isRunning: boolean, isUp = true) =>
  ({ process: { isRunning: () => isRunning, log: ['started', 'out of memory'] }, isUp }) as never;

test('a server that ended by itself is found, and one that is being replaced is not', () => {
  const log = createRunLog(() => 0);
  checkServers({ slots: [slot(true), slot(false, false)] }, log);
  expect(log.findings).toEqual([]);
  checkServers({ slots: [slot(true), slot(false)] }, log);
  expect(log.findings.map(({ what }) => what)).toEqual(['a server has ended. Its last words: started\nout of memory']);
});
