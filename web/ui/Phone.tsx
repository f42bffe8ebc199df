import { useEffect, useState } from 'react';

/** A phone number in groups. The numbering plans load after the rest of the screen; without them it stays ungrouped. */
export function Phone({ number }: { number: string }) {
  const [formatted, setFormatted] = useState<string>();
  useEffect(() => {
    let isCurrent = true;
    import('./formatPhone.ts').then(
      ({ formatPhone }) => isCurrent && setFormatted(formatPhone(number)),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [number]);
  return <span>{formatted ?? number}</span>;
}
