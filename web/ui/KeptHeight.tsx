import { type ReactNode, useEffect, useRef } from 'react';
import { readStored, writeStored } from '../storage/stores.ts';
import styles from './KeptHeight.module.css';

type KeptHeightProps = {
  /** Where the height is kept: per user, because others may sign in on this device. */
  readonly heightKey: string;
  /** Undefined while it loads. */
  readonly children: ReactNode | undefined;
};

/** The place of a part of a page: before its content is known it is as high as on the user's last visit, so that nothing moves. */
export function KeptHeight({ heightKey, children }: KeptHeightProps) {
  if (children !== undefined) return <Measured heightKey={heightKey}>{children}</Measured>;
  const height = Number(readStored(heightKey));
  return height > 0 && <div className={styles.awaited} style={{ height }} aria-hidden="true" />;
}

function Measured({ heightKey, children }: { heightKey: string; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!place.current) return;
    const observer = new ResizeObserver(([entry]) => {
      const height = entry?.borderBoxSize[0]?.blockSize;
      writeStored(heightKey, height ? String(height) : null);
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [heightKey]);
  // A margin of the content belongs to the height.
  return (
    <div ref={place} style={{ display: 'flow-root' }}>
      {children}
    </div>
  );
}
