import { useEffect, useState } from 'react';

const TICK_MS = 5_000;
export const EACH_SECOND_MS = 1_000;

/** The current time, updated every `tickMs` while `isRunning`. */
export function useNow(isRunning: boolean, tickMs = TICK_MS): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    if (!isRunning) return;
    setNow(new Date());
    const timer = setInterval(() => setNow(new Date()), tickMs);
    return () => clearInterval(timer);
  }, [isRunning, tickMs]);
  return now;
}
