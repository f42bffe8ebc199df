import { Switch } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import { Link } from 'react-router';
import type { Custody } from '../../contract/handovers.ts';
import type { Order } from '../../contract/orders.ts';
import { ORDER_GROUPS } from '../../domain/orders.ts';
import { hasBagMoved } from '../../domain/process/holder.ts';
import { api } from '../api/client.ts';
import { useConfig } from '../api/config.ts';
import { Fold } from '../ui/Fold.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import {
  canLeaveAtDoor,
  custodyText,
  isAtDoor,
  isBudsPinDue,
  mustBudPress,
  waitsForDubersStep,
} from './custodyText.ts';
import styles from './LaundryCard.module.css';
import { ConfirmReceived, HandoverPhotos, Pin, WaitsForDuber } from './LaundryCard.tsx';
import { useCustody, useCustodyChange } from './useCustody.ts';

const role = 'Bud';

/** What proves that laundry has changed hands: it opens on demand, except where the town asks for it or its Bud has to act. */
export function BudLaundry({ order }: { order: Order }) {
  const asksProof = useConfig()?.asksProof === true;
  const isShown = hasLaundryUnderWay(order);
  const { data: custody, isError } = useCustody(order, isShown);
  if (!isShown || (!custody && isError)) return null;
  const content = (
    <section aria-label="Laundry">
      {custody ? <HandOver order={order} custody={custody} /> : <Skeleton height={48} />}
    </section>
  );
  const isOpen = asksProof || order.status === 'Cancelled' || (custody && mustBudPress(order, custody));
  if (isOpen) return content;
  return (
    <Fold title="Prove the hand-over" looks="row">
      {content}
    </Fold>
  );
}

/** Whether laundry is to change hands still, or stands at the door of its Bud. */
function hasLaundryUnderWay(order: Order): boolean {
  if (order.status === 'Cancelled') return Boolean(order.wayHome) || hasBagMoved(order);
  if (order.situation === 'home') return order.deliveries.some(({ leftAtDoorAt }) => leftAtDoorAt);
  return ORDER_GROUPS[order.status] === 'progress' || order.status === 'Completed';
}

function HandOver({ order, custody }: { order: Order; custody: Custody }) {
  if (order.status === 'Cancelled' && custody.holder.role === 'Bud') return null;
  return (
    <>
      <p>{custodyText(custody, 'Bud')}</p>
      {waitsForDubersStep(order, custody, 'Bud') && <WaitsForDuber />}
      {(isBudsPinDue(order) || custody.isPinBlocked) && <Pin custody={custody} role={role} />}
      {custody.canConfirm && <ConfirmReceived orderId={order.id} custody={custody} />}
      <HandoverPhotos custody={custody} role={role} />
      {order.status !== 'Cancelled' && !isAtDoor(custody) && <Choices order={order} custody={custody} />}
    </>
  );
}

/** Whether the laundry may stand at the door, while it is still to be brought back, and the tags for its bags. */
function Choices({ order, custody }: { order: Order; custody: Custody }) {
  const change = useCustodyChange(order.id);
  const choose = (leaveAtDoor: boolean) =>
    change.mutate(() => api.chooseLeaveAtDoor({ params: { id: order.id }, body: { leaveAtDoor } }));
  return (
    <div className={styles.choices}>
      {canLeaveAtDoor(order) && (
        <Switch
          label="Leave it at my door"
          description="The Duber takes a photo instead of your PIN"
          checked={custody.leaveAtDoor}
          onChange={(event) => choose(event.currentTarget.checked)}
        />
      )}
      {custody.holder.role === 'Bud' && (
        <Link className={styles.link ?? ''} to={`/bud/orders/${order.id}/tags`}>
          Tags for your bags
        </Link>
      )}
    </div>
  );
}

/** Asks whether all bags came back, while another number than the counted one would still be looked into. */
export function ConfirmBags({ order }: { order: Order }) {
  const { data: custody } = useCustody(order);
  if (!custody?.canConfirm || isAtDoor(custody) || custody.bags === null) return null;
  return <ConfirmReceived orderId={order.id} custody={custody} isQuiet />;
}

/** What the photos of hand-overs show, once the laundry is back. */
export function HandedOverPhotos({ order }: { order: Order }) {
  const isDue = order.situation === 'home' && !hasLaundryUnderWay(order);
  const { data: custody } = useCustody(order, isDue);
  if (!isDue || !custody) return null;
  return (
    <section aria-label="Laundry">
      <h2 className={styles.title}>Laundry</h2>
      <p>{custodyText(custody, 'Bud')}</p>
      <HandoverPhotos custody={custody} role={role} />
    </section>
  );
}
