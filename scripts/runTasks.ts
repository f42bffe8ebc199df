import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

export type Task = {
  name: string;
  /** Returns one line per problem. Throwing counts as a problem too. */
  run: () => Promise<string[]>;
};

export type Outcome = { name: string; seconds: number; problems: string[] };

/** Runs as many tasks at once as there are cores and reports each one when it is done. */
export async function runTasks(tasks: readonly Task[], onDone: (outcome: Outcome) => void): Promise<Outcome[]> {
  const queue = [...tasks];
  const outcomes: Outcome[] = [];
  const work = async () => {
    for (let task = queue.shift(); task; task = queue.shift()) {
      const startedAt = performance.now();
      const problems = await task
        .run()
        .catch((error: unknown) => [error instanceof Error ? String(error.stack) : String(error)]);
      const outcome = { name: task.name, seconds: (performance.now() - startedAt) / 1000, problems };
      outcomes.push(outcome);
      onDone(outcome);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return outcomes;
}

/** Runs a program. If its exit code is not 0, the problems are everything that it printed. */
export function runTool(cwd: string, command: string, ...args: string[]): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    const printed: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => printed.push(chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve([]);
      else resolve([...Buffer.concat(printed).toString().trimEnd().split('\n'), `${command} exited with ${code}`]);
    });
  });
}
