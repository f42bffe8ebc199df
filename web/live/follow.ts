import { readToken } from '../api.ts';
import { queries } from '../queries.ts';
import { listenToEvents } from './listen.ts';

/** What an order's or a delivery's step may change on the screens. */
const TOUCHED = ['orders', 'deliveries', 'dashboards'] as const;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;

function refresh(): void {
  for (const name of TOUCHED) void queries.invalidateQueries({ queryKey: [name] });
}

/** Waits longer after each failure, but not past the moment that the network is back. */
function pause(tries: number, signal: AbortSignal): Promise<void> {
  const ms = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1));
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener('online', done);
    signal.addEventListener('abort', done, { once: true });
  });
}

/** Keeps the screens of whoever is signed in up with what the others do, until `signal` ends it. */
export function followEvents(signal: AbortSignal): void {
  void listenToEvents({ host: '/api', token: readToken, onEvent: refresh, onGap: refresh, pause, signal });
}
