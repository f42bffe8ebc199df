import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';

// Loaded into the product by `--import`: tells the bench what only the process itself knows. It changes nothing there.
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
let cpu = process.cpuUsage();

// BENCH_PROFILE names a folder: a CPU profile of each measurement lands in it, and its figures are worth nothing then.
const folder = process.env.BENCH_PROFILE;
const session = folder === undefined ? undefined : new Session();
session?.connect();
let count = 0;

async function startMeasuring(): Promise<void> {
  if (session) {
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
  }
  cpu = process.cpuUsage();
  delay.reset();
  process.send?.('begun');
}

async function stopMeasuring(): Promise<void> {
  const { user, system } = process.cpuUsage(cpu);
  const spent = { cpuUs: user + system, blockedMs: delay.max / 1e6, rssMb: process.memoryUsage.rss() / 1e6 };
  if (session && folder) {
    const { profile } = await session.post('Profiler.stop');
    count += 1;
    writeFileSync(join(folder, `${count}.cpuprofile`), JSON.stringify(profile));
  }
  process.send?.(spent);
}

process.on('message', (message) => void (message === 'begin' ? startMeasuring() : stopMeasuring()));
process.channel?.unref();
