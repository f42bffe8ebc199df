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

/** What happens next, by what was delivered and who reads it. */
const NEXT: Record<Role, Record<Delivery['deliveryType'], string>> = {
  Bud: {
    Bud_To_Scrub: 'From here your Scrub washes, dries and folds. Follow it on the page of your order.',
    Scrub_To_Bud: 'Your laundry is home. If something is wrong with it, say so on the page of your order.',
  },
  Scrub: {
    Bud_To_Scrub: 'From here it is your turn. The page of the job has your next step.',
    Scrub_To_Bud: 'The laundry is back with its owner.',
  },
  Duber: {
    Bud_To_Scrub: 'Your next delivery may be just around the corner.',
    Scrub_To_Bud: 'Your next delivery may be just around the corner.',
  },
};

/** Laundry of which nobody has said yet that they have it. */
const AT_THE_DOOR: Partial<Record<Role, string>> = {
  Bud: 'Your laundry stands at your door. Say on the page of your order that you have it.',
  Scrub: 'The laundry stands at the door of its owner, who has not said yet that they have it.',
};
const UNWASHED: Partial<Record<Role, string>> = {
  Bud: 'Your Scrub does not wash it this time. The page of your order says how it comes back.',
  Scrub: 'It is not washed this time. The page of the job has your next step.',
};

/** What happens after a delivery, for one of its people. */
export function nextText({ deliveryType, leftAtDoorAt, order }: Done, role: Role): string {
  if (leftAtDoorAt && AT_THE_DOOR[role]) return AT_THE_DOOR[role];
  // Nothing is paid for laundry that goes back as it is. A Duber is not told the price.
  const isUnwashed = order.price?.loadPrice === 0;
  return (isUnwashed && deliveryType === 'Bud_To_Scrub' && UNWASHED[role]) || NEXT[role][deliveryType];
}
type Done = Pick<Delivery, 'deliveryType' | 'leftAtDoorAt'> & {
  readonly order: { readonly price: { readonly loadPrice: number } | null };
};

const WAYS_ON: Record<Role, string> = { Bud: 'View Order', Scrub: 'View Job', Duber: 'Find the next delivery' };

/** A small celebration of a finished delivery, what happens next, and the way there. */
export function DoneCard({ delivery, role }: { delivery: Delivery; role: Role }) {
  const to = orderPath(role, delivery.orderId) ?? '/duber/dashboard';
  return (
    <section className={styles.done} aria-label="Delivery Completed!">
      <Celebration size={140} />
      <div className={styles.words}>
        <h2>Delivery Completed!</h2>
        <p>{TEXTS[role]}</p>
        <p>{nextText(delivery, role)}</p>
        <Button component={Link} to={to} variant="default" className={styles.on ?? ''}>
          {WAYS_ON[role]}
        </Button>
      </div>
    </section>
  );
}
