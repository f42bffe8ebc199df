import { useEffect, useState } from 'react';

const DELAY_MS = 300;

/** The value after it has not changed for a moment, for a search while typing. */
export function useDebounced(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), DELAY_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
