/**
 * Makes a read that can be asked for at any time: it runs once at a time, and once more if it was asked for meanwhile. A change
 * that comes while it runs is never lost, and however many come, each run reaches its end.
 */
export function createRepeatableRead(read: () => Promise<unknown>): () => void {
  let isRunning = false;
  let isAsked = false;
  const run = async () => {
    isRunning = true;
    while (isAsked) {
      isAsked = false;
      await read().catch(() => undefined);
    }
    isRunning = false;
  };
  return () => {
    isAsked = true;
    if (!isRunning) void run();
  };
}
