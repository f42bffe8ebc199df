import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { Delivery } from '../../../contract/deliveries.ts';
import type { Role } from '../../../domain/accounts.ts';
import { Celebration } from '../../ui/Celebration.tsx';
import { orderPath } from '../paths.ts';
import styles from './DoneCard.module.css';

// spec 2.7 to 2.9
const TEXTS: Record<Role, string> = {
  Bud: 'The order was delivered.',
  Scrub: 'The order was delivered.',
  Duber: 'Great job!',
};

type Leg = Delivery['deliveryType'];

/** What happens next, by what was delivered and who reads it. */
const NEXT: Record<Role, Record<Leg, string>> = {
  Bud: {
    Bud_To_Scrub: 'From here your Scrub washes, dries and folds. Follow it on the page of your order.',
    Scrub_To_Bud: 'Your laundry is home, clean and folded.',
  },
  Scrub: {
    Bud_To_Scrub: 'From here it is your turn. The page of the job has your next step.',
    Scrub_To_Bud: 'The laundry is home again, clean and folded.',
  },
  Duber: {
    Bud_To_Scrub: 'Your next delivery may be just around the corner.',
    Scrub_To_Bud: 'Your next delivery may be just around the corner.',
  },
};

const WAYS_ON: Record<Role, string> = { Bud: 'Track order', Scrub: 'View Job', Duber: 'Find the next delivery' };

/** A small celebration of a finished delivery, what happens next, and the way there. */
export function DoneCard({ delivery, role }: { delivery: Delivery; role: Role }) {
  const to = orderPath(role, delivery.orderId) ?? '/duber/dashboard';
  return (
    <section className={styles.done} aria-label="Delivery Completed!">
      <Celebration size={140} />
      <div className={styles.words}>
        <h2>Delivery Completed!</h2>
        <p>{TEXTS[role]}</p>
        <p>{NEXT[role][delivery.deliveryType]}</p>
        <Button component={Link} to={to} variant="default" className={styles.on ?? ''}>
          {WAYS_ON[role]}
        </Button>
      </div>
    </section>
  );
}
