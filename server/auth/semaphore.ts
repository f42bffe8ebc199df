/** Runs `work` when its network's turn comes. Calls `onFull`, at once or later, when too many are waiting. */
export type Semaphore = <T>(networks: readonly string[], work: () => Promise<T>, onFull: () => never) => Promise<T>;

type Waiting = { readonly start: () => void; readonly refuse: () => void };

/** Those that wait in a network: in networks within it, or, in the narrowest, in the order they came. */
type Queue = { count: number; readonly inner: Map<string, Queue>; readonly waiting: Waiting[] };

const createQueue = (): Queue => ({ count: 0, inner: new Map(), waiting: [] });

/**
 * Runs up to `maxRunning` tasks at a time while others wait. The networks take turns, and the networks within them, so that
 * a task waits for one task of every other network and not for all that came before it. `networks` is from wide to narrow.
 * When too many wait, the newest of the network with the longest queue is refused.
 */
export function createSemaphore(maxRunning: number, max: { waiting: number; perNetwork: number }): Semaphore {
  let running = 0;
  const queue = createQueue();

  const wait = (networks: readonly string[], onFull: () => never) =>
    new Promise<void>((start, reject) => {
      const refuse = () => {
        try {
          onFull();
        } catch (error) {
          reject(error);
        }
      };
      if ((queue.inner.get(networks[0] ?? '')?.count ?? 0) >= max.perNetwork) return refuse();
      add(queue, networks, { start, refuse });
      if (queue.count > max.waiting) takeNewestOfLongest(queue)?.refuse();
    });

  return async (networks, work, onFull) => {
    if (running < maxRunning) running += 1;
    else await wait(networks, onFull);
    try {
      return await work();
    } finally {
      const next = queue.count > 0 ? takeNext(queue) : undefined;
      if (next) next.start();
      else running -= 1;
    }
  };
}

function add(queue: Queue, networks: readonly string[], waiting: Waiting): void {
  queue.count += 1;
  const [network, ...narrower] = networks;
  if (network === undefined) {
    queue.waiting.push(waiting);
    return;
  }
  const inner = queue.inner.get(network) ?? createQueue();
  queue.inner.set(network, inner);
  add(inner, narrower, waiting);
}

function takeNext(queue: Queue): Waiting | undefined {
  queue.count -= 1;
  // A map keeps the order of insertion: the network whose turn it was goes to the end.
  const [first] = queue.inner;
  if (first === undefined) return queue.waiting.shift();
  const [network, inner] = first;
  const next = takeNext(inner);
  queue.inner.delete(network);
  if (inner.count > 0) queue.inner.set(network, inner);
  return next;
}

function takeNewestOfLongest(queue: Queue): Waiting | undefined {
  queue.count -= 1;
  const [longest] = [...queue.inner].toSorted(([, a], [, b]) => b.count - a.count);
  if (longest === undefined) return queue.waiting.pop();
  const [network, inner] = longest;
  const newest = takeNewestOfLongest(inner);
  if (inner.count === 0) queue.inner.delete(network);
  return newest;
}
