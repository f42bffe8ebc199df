// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code

import type { PlantedBug } from './plantedBug.ts';

const POOLER = 'promises/fleet/pooler.test.ts';
const ROLLING_RESTART = 'promises/fleet/rollingRestart.test.ts';
const FAILOVER = 'promises/fleet/failover.test.ts';

/** Bugs that show behind a pooler, a load balancer, a failover or a wrong clock. */
export const FLEET_BUGS: readonly PlantedBug[] = [
  {
    bug: 'a pooler that loses prepared statements is trusted',
    file: 'server/db/pooler.ts',
    find: 'keepsStatements: next !== undefined',
    replace: 'keepsStatements: true',
    suite: POOLER,
  },
  {
    bug: 'settings that a pooler drops go unnoticed',
    file: 'server/db/pooler.ts',
    find: 'if (lost.length === 0) return;',
    replace: 'if (lost.length >= 0) return;',
    suite: POOLER,
  },
  {
    bug: 'a server stops as soon as it gets SIGTERM',
    file: 'server/main.ts',
    find: 'await sleep(config.drainS * 1000);',
    replace: '',
    suite: ROLLING_RESTART,
  },
  {
    bug: 'a server that stops still says that it is ready',
    file: 'server/http/health.ts',
    find: "if (isDraining()) refuse('notReady', { message: 'This server is about to stop' });",
    replace: '',
    suite: ROLLING_RESTART,
  },
  {
    bug: 'times come from the clock of the machine',
    file: 'server/db/migratedDatabase.ts',
    find: "now !== undefined || database.kind === 'embedded'",
    replace: 'now !== undefined || database.kind !== undefined',
    suite: 'promises/fleet/clock.test.ts',
  },
  {
    bug: 'a server with a wrong clock sends mails and pushes',
    file: 'server/main.ts',
    find: 'startOutboxWorkers(context, keys, { isPaused, ',
    replace: 'startOutboxWorkers(context, keys, { ',
    suite: 'promises/fleet/clock.test.ts',
  },
  {
    bug: 'a failover that lost transactions goes unnoticed',
    file: 'server/events/streamHub.ts',
    find: 'if (isRewound) return startOver();',
    replace: '',
    suite: 'promises/fleet/rewind.test.ts',
  },
  {
    bug: 'connections to a demoted primary are kept',
    file: 'server/db/client.ts',
    find: "if (error.code === READ_ONLY_SQL_STATE) onDemoted(this.url, 'the server is read-only');",
    replace: '',
    suite: 'server/db/failover.test.ts',
  },
  {
    bug: 'a primary whose commits get no answer is kept',
    file: 'server/db/client.ts',
    find: "if (hosts.hasOthers) onDemoted(this.url, 'no answer');",
    replace: '',
    suite: FAILOVER,
    cases: 2,
  },
  {
    bug: 'commits do not wait for the replica',
    file: 'docs/patroni.yml',
    find: 'synchronous_commit: "on"',
    replace: 'synchronous_commit: "local"',
    suite: FAILOVER,
    cases: 2,
  },
  {
    bug: 'a connection tries one host only',
    file: 'server/db/client.ts',
    find: 'for (let left = hosts.count; ; left -= 1) {',
    replace: 'for (let left = 1; ; left -= 1) {',
    suite: 'server/db/failover.test.ts',
  },
  {
    bug: 'notifications are awaited from a host that is not the primary any more',
    file: 'server/events/serverChannel.ts',
    find: 'hosts.skip(hosts.url());',
    replace: '',
    suite: 'server/events/serverChannel.test.ts',
  },
];
