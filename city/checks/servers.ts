import type { RunLog } from '../findings.ts';
import type { OwnParts, Slot } from '../installation.ts';

type Process = Pick<Slot['process'], 'isRunning' | 'log'>;

/** How many of its last lines explain an end. */
const LAST_LINES = 5;

/**
 * Reports a server that ended although nobody has ended it. People would not notice: they go on with the other one. Call it before
 * a server is ended on purpose.
 */
export function checkIsRunning(server: Process, log: RunLog): void {
  if (server.isRunning()) return;
  const last = server.log.slice(-LAST_LINES).join('\n');
  log.report('no server ends by itself', `a server has ended. Its last words: ${last}`);
}

/** The same of all servers that should run. */
export function checkServers({ slots }: Pick<OwnParts, 'slots'>, log: RunLog): void {
  for (const { process, isUp } of slots) if (isUp) checkIsRunning(process, log);
}
