import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Loaded into the product with `--import`: reports the CPU time, event loop delay and memory of the process.
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
let cpu = process.cpuUsage();

// If BENCH_PROFILE is a folder, each measurement writes a CPU profile to it. Profiling makes the figures meaningless.
const folder = process.env.BENCH_PROFILE;
const session = folder === undefined ? undefined : new Session();
if (folder !== undefined) mkdirSync(folder, { recursive: true });
session?.connect();
let count = 0;

async function startMeasuring(): Promise<void> {
  if (session) {
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
  }
  cpu = process.cpuUsage();
  delay.reset();
  process.send?.('started');
}

async function stopMeasuring(): Promise<void> {
  const { user, system } = process.cpuUsage(cpu);
  const usage = {
    cpuUs: user + system,
    blockedMs: delay.max / 1e6,
    rssMb: process.memoryUsage.rss() / 1e6,
    peakRssMb: (process.resourceUsage().maxRSS * 1024) / 1e6,
  };
  if (session && folder) {
    const { profile } = await session.post('Profiler.stop');
    count += 1;
    writeFileSync(join(folder, `${process.pid}-${count}.cpuprofile`), JSON.stringify(profile));
  }
  process.send?.(usage);
}

/** What is in use after a collection: the resident memory of a process says more about its garbage. */
function readUsedMemory(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({ usedMb: (heapUsed + external) / 1e6 });
}

process.on('message', (message) => {
  if (message === 'start') void startMeasuring();
  if (message === 'stop') void stopMeasuring();
  if (message === 'used memory') readUsedMemory();
});
process.channel?.unref();
