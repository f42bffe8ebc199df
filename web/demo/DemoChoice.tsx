import { useState } from 'react';
import type { DemoAccount } from '../../contract/payments.ts';
import type { Role } from '../../domain/accounts.ts';
import { signIn } from '../session/session.ts';
import { errorMessageOf } from '../ui/errorMessage.ts';
import styles from './DemoChoice.module.css';

const WHAT_THEY_DO: Record<Role, string> = {
  Bud: 'sends laundry',
  Scrub: 'washes it',
  Duber: 'carries it',
};

type DemoChoiceProps = {
  readonly accounts: readonly DemoAccount[];
  /** Whether demo people answer what visitors do. */
  readonly isLive: boolean;
  readonly className?: string | undefined;
};

/**
 * Signs in as one of the demo people with one tap. The surrounding route then opens their dashboard. There are none yet while a first
 * start adds the demo.
 */
export function DemoChoice({ accounts, isLive, className = '' }: DemoChoiceProps) {
  const [isAwaited] = useState(accounts.length === 0);
  const { enter, isBusy, problem } = useDemoSignIn();
  return (
    <section className={`${styles.demo} ${className}`} aria-labelledby="demo">
      <h2 id="demo">Just curious?</h2>
      <p>This is a demo with made-up people. Look around, no account needed.</p>
      {isAwaited && (
        <p role="status">
          {accounts.length === 0 ? 'We are preparing the demo. It will be ready soon.' : 'The demo is ready.'}
        </p>
      )}
      {isLive && accounts.length > 0 && (
        <p>Neighbours are awake: orders are accepted, washed and delivered as you watch.</p>
      )}
      {accounts.length > 0 && (
        <ul className={styles.choices}>
          {accounts.map((account) => (
            <li key={account.role}>
              <AccountButton role={account.role} isBusy={isBusy} onClick={() => void enter(account)} />
            </li>
          ))}
        </ul>
      )}
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}

function useDemoSignIn() {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const enter = async ({ email, password }: DemoAccount) => {
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await signIn({ email, password });
    } catch (error) {
      setProblem(`You cannot look around right now: ${errorMessageOf(error, 'the server does not answer')}.`);
    }
    setBusy(false);
  };
  return { enter, isBusy, problem };
}

function AccountButton({ role, isBusy, onClick }: { role: Role; isBusy: boolean; onClick: () => void }) {
  return (
    <button type="button" className={styles.choice} aria-disabled={isBusy} onClick={onClick}>
      Look around as {role}
      <span className={styles.what}>{WHAT_THEY_DO[role]}</span>
    </button>
  );
}
