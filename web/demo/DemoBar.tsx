import type { Role } from '../../domain/accounts.ts';
import { useConfig } from '../api/config.ts';
import { lazyPart } from '../ui/lazyPart.tsx';
import { useDemoBar } from './demoBarState.ts';

// Most installations have no demo.
const DemoControls = lazyPart('The bar of the demo', async () => (await import('./DemoControls.tsx')).DemoControls, {
  failure: 'nowhere',
});

/** One line in which a visitor of the demo becomes somebody else. `shown` is whose screens these are. */
export function DemoBar({ shown }: { readonly shown: Role | 'Town' }) {
  const config = useConfig();
  const { isVisitor, isOpen } = useDemoBar();
  const accounts = config?.demoAccounts ?? [];
  if (!config || accounts.length === 0 || !isOpen || !(isVisitor || shown === 'Town')) return null;
  return (
    <DemoControls
      shown={shown}
      accounts={accounts}
      hasTown={config.demoOperator !== undefined}
      hasInbox={config.standIns.includes('mail')}
      isLive={config.isDemoLive === true}
    />
  );
}
