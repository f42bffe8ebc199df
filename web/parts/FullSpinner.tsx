import { Loader } from '@mantine/core';

export function FullSpinner() {
  return (
    <div role="status" aria-label="Loading" style={{ display: 'grid', placeItems: 'center', minHeight: '100dvh' }}>
      <Loader color="var(--brand)" />
    </div>
  );
}
