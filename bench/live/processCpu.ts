import { readFileSync } from 'node:fs';

/** The clock of /proc, which is the same on every Linux. */
const US_PER_TICK = 10_000;

/** The CPU time in microseconds that a process and all its children have used. Undefined where there is no /proc. */
export function readTreeCpuUs(pid: number): number | undefined {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    // Of itself and of children that have ended, and of those that run.
    const own = readTicks(pid, 4);
    return US_PER_TICK * children.reduce((sum, child) => sum + readTicks(Number(child), 2), own);
  } catch {
    return undefined;
  }
}

/** The CPU time in microseconds that a process and each of its children have used, by their ids; its own is the first. */
export function readChildrenCpuUs(pid: number): ReadonlyMap<number, number> {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  return new Map([pid, ...children].map((one) => [one, US_PER_TICK * readTicks(one, 2)]));
}

/** Adds up the first of utime, stime, cutime and cstime. */
function readTicks(pid: number, fields: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program stands in brackets and may contain spaces.
  const ticks = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 11 + fields);
  return ticks.reduce((sum, value) => sum + Number(value), 0);
}
