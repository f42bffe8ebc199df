import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

export type Task = {
  name: string;
  /** Fails by throwing, or by what it answers: the lines that say what is wrong. */
  run: () => Promise<string[]>;
};

export type Outcome = { name: string; seconds: number; problems: string[] };

/** Runs the tasks, as many at once as there are cores, and tells of each when it is done. */
export async function runTasks(tasks: readonly Task[], tell: (outcome: Outcome) => void): Promise<Outcome[]> {
  const waiting = [...tasks];
  const outcomes: Outcome[] = [];
  const work = async () => {
    for (let task = waiting.shift(); task; task = waiting.shift()) {
      const began = performance.now();
      const problems = await task
        .run()
        .catch((error: unknown) => [error instanceof Error ? String(error.stack) : String(error)]);
      const outcome = { name: task.name, seconds: (performance.now() - began) / 1000, problems };
      outcomes.push(outcome);
      tell(outcome);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return outcomes;
}

/** Runs a program; what it printed are the problems when it ends with anything but 0. */
export function runTool(cwd: string, command: string, ...args: string[]): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    const printed: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => printed.push(chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve([]);
      else resolve([...Buffer.concat(printed).toString().trimEnd().split('\n'), `${command} ended with ${code}`]);
    });
  });
}
