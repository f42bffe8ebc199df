import { useEffect, useState } from 'react';
import { currentTime } from '../clock.ts';

const TICK_MS = 5_000;
export const EACH_SECOND_MS = 1_000;

/** The current time, updated every `tickMs` while `isRunning`. */
export function useNow(isRunning: boolean, tickMs = TICK_MS): Date {
  const [now, setNow] = useState(currentTime);
  useEffect(() => {
    if (!isRunning) return;
    setNow(currentTime());
    const timer = setInterval(() => setNow(currentTime()), tickMs);
    return () => clearInterval(timer);
  }, [isRunning, tickMs]);
  return now;
}
