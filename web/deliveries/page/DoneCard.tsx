import type { Role } from '../../../domain/accounts.ts';
import { Icon } from '../../ui/icons.tsx';
import styles from './DoneCard.module.css';

const TEXTS: Record<Role, string> = {
  Bud: 'The order was delivered.',
  Scrub: 'The order was delivered.',
  Duber: 'Great job!',
};

export function DoneCard({ role }: { role: Role }) {
  return (
    <section className={styles.done} aria-label="Delivery Completed!">
      <Icon name="check" size={28} strokeWidth={2.5} />
      <div>
        <h2>Delivery Completed!</h2>
        <p>{TEXTS[role]}</p>
      </div>
    </section>
  );
}
