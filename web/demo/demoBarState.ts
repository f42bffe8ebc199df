import { useConfig } from '../api/config.ts';
import { useSession } from '../session/session.ts';
import { SCOPE } from '../storage/scope.ts';
import { useStored, writeStored } from '../storage/stores.ts';

const KEY = 'rubadub-demo-bar';

/** Whether a visitor of the demo is on the screens, and whether they have the demo's bar open. */
export function useDemoBar() {
  const { user } = useSession();
  const accounts = useConfig()?.demoAccounts ?? [];
  const isOpen = useStored(KEY) !== 'closed';
  return {
    // The phones of the demo's page have their people.
    isVisitor: SCOPE === '' && accounts.some(({ email }) => email === user?.email),
    isOpen,
    toggle: () => writeStored(KEY, isOpen ? 'closed' : null),
  };
}
