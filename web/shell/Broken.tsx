import { Failure } from '../parts/Failure.tsx';

/** A screen that could not be drawn, or whose code could not be fetched. */
export function Broken() {
  return (
    <main style={{ display: 'grid', placeItems: 'center', minHeight: '100dvh' }}>
      <Failure
        level={1}
        title="This page did not open"
        text="Nothing you sent is lost. Loading it again usually helps."
        onRetry={() => window.location.reload()}
      />
    </main>
  );
}
