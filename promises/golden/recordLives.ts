import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { BASE_ENV, NODE_FLAGS } from '../../testing/childProcesses.ts';
import type { RecordedLife } from './recordLife.ts';
import type { Town } from './town.ts';

/** Starts a process that records the lives whose seeds it is sent, one after another. */
function startProcess(town: Town): ChildProcess {
  return fork(join(import.meta.dirname, 'lifeProcess.ts'), [JSON.stringify(town)], {
    execArgv: NODE_FLAGS,
    env: { ...BASE_ENV, TEST_DATABASE_URL: process.env.TEST_DATABASE_URL },
  });
}

async function askFor(seed: number, child: ChildProcess): Promise<RecordedLife> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the process of life ${seed} ended with ${code}`);
  });
  child.send(seed);
  const [life] = await Promise.race([once(child, 'message'), ended]);
  return life;
}

/** Records lives in as many processes as there are cores. Hands over each as soon as it is done, in any order. */
export async function recordLives(
  town: Town,
  seeds: readonly number[],
  take: (life: RecordedLife) => void,
): Promise<void> {
  const left = seeds.toReversed();
  const work = async () => {
    const child = startProcess(town);
    try {
      for (let seed = left.pop(); seed !== undefined; seed = left.pop()) take(await askFor(seed, child));
    } finally {
      child.disconnect();
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), seeds.length) }, work));
}
