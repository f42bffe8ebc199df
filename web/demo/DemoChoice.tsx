import { useState } from 'react';
import type { DemoAccount } from '../../contract/payments.ts';
import { signIn } from '../session/session.ts';
import { errorMessageOf } from '../ui/errorMessage.ts';
import styles from './DemoChoice.module.css';

type DemoChoiceProps = {
  readonly accounts: readonly DemoAccount[];
  /** Whether they may look around as an operator, too. */
  readonly hasTown: boolean;
  readonly className?: string | undefined;
};

/**
 * Signs in as one of the demo people with one tap. The surrounding route then opens their dashboard. There are none yet while a first
 * start adds the demo.
 */
export function DemoChoice({ accounts, hasTown, className = '' }: DemoChoiceProps) {
  const [isAwaited] = useState(accounts.length === 0);
  const { enter, isBusy, problem } = useDemoSignIn();
  return (
    <section className={`${styles.demo} ${className}`} aria-labelledby="demo">
      <p>
        <strong id="demo">Just curious?</strong> Look around as one of the made-up people of this demo, without an
        account:
      </p>
      {isAwaited && (
        <p role="status">
          {accounts.length === 0 ? 'We are preparing the demo. It will be ready soon.' : 'The demo is ready.'}
        </p>
      )}
      {accounts.length > 0 && (
        <ul className={styles.choices}>
          {accounts.map((account) => (
            <li key={account.role}>
              <button
                type="button"
                className={styles.choice}
                aria-label={`Look around as ${account.role}`}
                aria-disabled={isBusy}
                onClick={() => void enter(account)}
              >
                {account.role}
              </button>
            </li>
          ))}
          {hasTown && (
            <li>
              <a className={styles.choice} href="#/operator" aria-label="Run the town">
                Town
              </a>
            </li>
          )}
          <li>
            <a className={styles.choice} href="#/demo">
              All side by side
            </a>
          </li>
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
