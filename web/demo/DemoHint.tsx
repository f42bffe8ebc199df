import { useConfig } from '../api/config.ts';
import { useUser } from '../session/session.ts';
import { useStored, writeStored } from '../storage/stores.ts';
import { lazyPart } from '../ui/lazyPart.tsx';

const DemoHintBar = lazyPart('The hint', async () => (await import('./DemoHintBar.tsx')).DemoHintBar, {
  failure: 'nowhere',
});

const HINT_KEY = 'rubadub-demo-hint';

/** Explains the roles to a visitor of the demo, until they close it. */
export function DemoHint() {
  const user = useUser();
  const isVisitor = useConfig()?.demoAccounts?.some(({ email }) => email === user.email) ?? false;
  const isClosed = useStored(HINT_KEY) === 'closed';
  const close = () => {
    writeStored(HINT_KEY, 'closed');
    // The button that had the focus is gone.
    document.getElementById('main')?.focus({ preventScroll: true });
  };
  if (!isVisitor || isClosed) return null;
  return <DemoHintBar role={user.role} onClose={close} />;
}
