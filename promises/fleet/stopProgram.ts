import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';

/**
 * Returns a function that ends a program and deletes its folder. If nobody has called it when this process ends, the
 * program ends too.
 */
export function createStop(child: ChildProcess, home: string): () => Promise<void> {
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  return async () => {
    process.off('exit', kill);
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit');
      kill();
      await exited;
    }
    rmSync(home, { recursive: true, force: true });
  };
}
