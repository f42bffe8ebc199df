import { useEffect, useState } from 'react';

const DELAY_MS = 300;

/** The value once it has not changed for a moment: what is typed is searched for when somebody stops typing. */
export function useDebounced(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), DELAY_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
