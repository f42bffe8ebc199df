import { monitorEventLoopDelay } from 'node:perf_hooks';

// Loaded into the product by `--import`: tells the bench what only the process itself knows. It changes nothing there.
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
let cpu = process.cpuUsage();

process.on('message', (message) => {
  if (message === 'begin') {
    cpu = process.cpuUsage();
    delay.reset();
    process.send?.('begun');
  }
  if (message === 'end') {
    const { user, system } = process.cpuUsage(cpu);
    process.send?.({ cpuUs: user + system, blockedMs: delay.max / 1e6, rssMb: process.memoryUsage.rss() / 1e6 });
  }
});
process.channel?.unref();
