import { useConfig } from '../api/config.ts';
import { lazyPart } from '../ui/lazyPart.tsx';

// Most installations have no demo, so their landing page does not load this.
const DemoChoice = lazyPart('The demo', async () => (await import('./DemoChoice.tsx')).DemoChoice);

/** One tap into the demo, where the installation offers it. */
export function DemoEntrance({ className }: { className?: string | undefined }) {
  const { demoAccounts: accounts = [], demoOperator, isDemoPreparing = false } = useConfig() ?? {};
  if (accounts.length === 0 && !isDemoPreparing) return null;
  return <DemoChoice accounts={accounts} hasTown={demoOperator !== undefined} className={className} />;
}
