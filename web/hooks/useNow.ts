import { useEffect, useState } from 'react';

const TICK_MS = 5_000;

/** The current time, updated every few seconds while `isRunning`. */
export function useNow(isRunning: boolean): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    if (!isRunning) return;
    setNow(new Date());
    const timer = setInterval(() => setNow(new Date()), TICK_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
}
