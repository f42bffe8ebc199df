/** Runs `work` when it is its key's turn, and tells it whether it has waited. Calls `onFull` when too many of the key are waiting. */
export type KeyedQueue = <T>(key: string, work: (hasWaited: boolean) => Promise<T>, onFull: () => never) => Promise<T>;

type Queue = { running: number; readonly waiting: (() => void)[] };

/** Runs up to `maxRunning` tasks of each key at a time, in the order they came. Keys do not wait for each other. */
export function createKeyedQueue(maxRunning: number, maxWaiting: number): KeyedQueue {
  const queues = new Map<string, Queue>();
  return async (key, work, onFull) => {
    const queue = queues.get(key) ?? { running: 0, waiting: [] };
    const mustWait = queue.running >= maxRunning;
    if (mustWait && queue.waiting.length >= maxWaiting) onFull();
    queues.set(key, queue);
    if (!mustWait) queue.running += 1;
    else await new Promise<void>((start) => queue.waiting.push(start));
    try {
      return await work(mustWait);
    } finally {
      const next = queue.waiting.shift();
      if (next) next();
      else queue.running -= 1;
      if (queue.running === 0) queues.delete(key);
    }
  };
}
