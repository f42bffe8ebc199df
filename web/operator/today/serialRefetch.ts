/**
 * Returns a function that starts a read. Reads run one at a time; calls during a read cause one more read afterwards, so no
 * change is lost and no read is cancelled.
 */
export function createSerialRefetch(read: () => Promise<unknown>): () => void {
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
