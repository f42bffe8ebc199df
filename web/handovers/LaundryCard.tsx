import { Button, Switch } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Custody } from '../../contract/handovers.ts';
import type { Order } from '../../contract/orders.ts';
import { ORDER_GROUPS } from '../../domain/orders.ts';
import { hasBagMoved } from '../../domain/process/holder.ts';
import { api } from '../api/client.ts';
import { useConfig } from '../api/config.ts';
import { PhotoThumbnail } from '../files/Photo.tsx';
import { getSinglePressProps } from '../hooks/singlePress.ts';
import { Skeleton } from '../ui/Skeleton.tsx';
import { BagCountInput } from './BagCountInput.tsx';
import {
  canLeaveAtDoor,
  custodyText,
  handoverText,
  isAtDoor,
  PIN_BLOCKED,
  pinHint,
  waitsForDubersStep,
} from './custodyText.ts';
import styles from './LaundryCard.module.css';
import { useCustody, useCustodyChange } from './useCustody.ts';

type Role = 'Bud' | 'Scrub';

/** Where the laundry of an order is, its PIN, and the possible confirmations. */
export function LaundryCard({ order, role }: { order: Order; role: Role }) {
  const group = ORDER_GROUPS[order.status];
  if (group === 'progress' || group === 'completed') return <Laundry order={order} role={role} />;
  if (order.status !== 'Cancelled') return null;
  if (isBroughtHome(order)) return <Laundry order={order} role={role} />;
  return order.wayHome || hasBagMoved(order) ? <LaundryOfCancelled order={order} role={role} /> : null;
}

/** Whether a Duber brings the laundry of a cancelled order home. */
const isBroughtHome = ({ wayHome, round, deliveries }: Order) =>
  wayHome === 'bring' &&
  deliveries.some(
    (delivery) =>
      delivery.deliveryType === 'Scrub_To_Bud' && delivery.round === round && delivery.status !== 'Called_Off',
  );

function Laundry({ order, role }: { order: Order; role: Role }) {
  const { data: custody, isError } = useCustody(order);
  if (!custody && isError) return null;
  return (
    <section className="card" aria-label="Laundry">
      <h2 className={styles.title}>Laundry</h2>
      {custody ? (
        <>
          <p>{custodyText(custody, role)}</p>
          {waitsForDubersStep(order, custody, role) && <WaitsForDuber />}
          <Pin custody={custody} role={role} />
          {custody.canConfirm && <ConfirmReceived orderId={order.id} custody={custody} />}
          <HandoverPhotos custody={custody} role={role} />
          {role === 'Bud' && <DeliveryProblems order={order} custody={custody} />}
        </>
      ) : (
        <Skeleton height={96} />
      )}
    </section>
  );
}

/** Where it is until its Bud has it again. No Duber brings it, so nobody needs a PIN. */
function LaundryOfCancelled({ order, role }: { order: Order; role: Role }) {
  const { data: custody } = useCustody(order);
  if (!custody || custody.holder.role === 'Bud') return null;
  return (
    <section className="card" aria-label="Laundry">
      <h2 className={styles.title}>Laundry</h2>
      <p>{custodyText(custody, role)}</p>
      {role === 'Bud' && custody.canConfirm && <ConfirmReceived orderId={order.id} custody={custody} />}
      <HandoverPhotos custody={custody} role={role} />
    </section>
  );
}

/** What to do when the Duber's phone does not work. */
function WaitsForDuber() {
  const email = useConfig()?.supportEmail;
  return (
    <p className="quiet">
      The Duber has not marked it as delivered yet. If their phone does not work, the town can do it:{' '}
      {email ? <a href={`mailto:${email}`}>write to us</a> : 'write to us'}.
    </p>
  );
}

type PinProps = { custody: Pick<Custody, 'pin' | 'isPinBlocked' | 'holder'>; role: Role };

/** What to say to the Duber, or what to do instead. Nothing while no PIN is needed, nor once it was done instead. */
export function Pin({ custody, role }: PinProps) {
  const { pin, isPinBlocked, holder } = custody;
  if (isPinBlocked && holder.role !== role) return <p className={styles.pin}>{PIN_BLOCKED}</p>;
  if (pin === null) return null;
  return (
    <div className={styles.pin}>
      <p>
        Your PIN <strong>{pin}</strong>
      </p>
      <p className="quiet">{pinHint(role)}</p>
    </div>
  );
}

/** What the photos of hand-overs show, newest first. */
function HandoverPhotos({ custody, role }: { custody: Custody; role: Role }) {
  const seen = custody.handovers.filter(({ fileIds }) => fileIds.length > 0).toReversed();
  return seen.map((handover) => (
    <figure key={handover.position} className={styles.photos}>
      <figcaption className="quiet">{handoverText(handover, role, custody.handovers)}</figcaption>
      {handover.fileIds.map((id, index) => (
        <PhotoThumbnail key={id} id={id} alt={`Photo ${index + 1} of ${handover.fileIds.length}`} />
      ))}
    </figure>
  ));
}

/** "I have 2 bags". */
function ConfirmReceived({ orderId, custody }: { orderId: string; custody: Custody }) {
  const [bags, setBags] = useState(custody.bags ?? 1);
  const change = useCustodyChange(orderId);
  const confirm = () => change.mutate(() => api.confirmReceived({ params: { id: orderId }, body: { bags } }));
  return (
    <div className={styles.confirm}>
      <BagCountInput
        label="Bags"
        className={styles.count ?? ''}
        value={bags}
        onChange={(value) => setBags(Number(value) || 1)}
      />
      <Button aria-busy={change.isPending} {...getSinglePressProps(confirm)}>
        {receivedText(bags, isAtDoor(custody))}
      </Button>
    </div>
  );
}

/** Laundry that stands at a door has no Duber beside it with whom the bags would be counted. */
function receivedText(bags: number, isLeftAtDoor: boolean): string {
  const count = bags === 1 ? '1 bag' : `${bags} bags`;
  return isLeftAtDoor ? `I have it: ${count}` : `I have ${count}`;
}

/** Whether the laundry may stand at the door, while it is still to be brought back, and the tags for its bags. */
function DeliveryProblems({ order, custody }: { order: Order; custody: Custody }) {
  const change = useCustodyChange(order.id);
  // Laundry that was collected by mistake, or is cleaned again, still goes to the Scrub.
  const isBack = custody.holder.role === 'Bud' && order.status === 'Completed';
  if (isBack) return null;
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
