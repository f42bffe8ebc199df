import type { Role } from '../../domain/accounts.ts';
import { Icon } from '../ui/icons.tsx';
import styles from './DemoHintBar.module.css';

const TRY_FIRST: Record<Role, string> = {
  Bud: 'Place an order, or follow one that is on its way.',
  Scrub: 'Accept a waiting job, or finish one that you have started.',
  Duber: 'Accept a delivery nearby, then take it step by step.',
};

export function DemoHintBar({ role, onClose }: { role: Role; onClose: () => void }) {
  return (
    <aside className={styles.bar} aria-label="About this demo">
      <div className={styles.text}>
        <p>
          <strong>You are looking around as a {role}.</strong> {TRY_FIRST[role]}
        </p>
        <p className={styles.roles}>
          A Bud sends laundry, a Scrub washes it, and a Duber carries it both ways. Log out to look around as somebody
          else.
        </p>
      </div>
      <button type="button" className={styles.close} aria-label="Close the hint" onClick={onClose}>
        <Icon name="cross" />
      </button>
    </aside>
  );
}
