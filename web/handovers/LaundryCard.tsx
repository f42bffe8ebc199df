import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Custody } from '../../contract/handovers.ts';
import type { Order } from '../../contract/orders.ts';
import { ORDER_GROUPS } from '../../domain/orders.ts';
import { hasBagMoved } from '../../domain/process/holder.ts';
import { api } from '../api/client.ts';
import { useConfig } from '../api/config.ts';
import { PhotoThumbnail } from '../files/Photo.tsx';
import { getSinglePressProps } from '../hooks/singlePress.ts';
import { Fold } from '../ui/Fold.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { BagCountInput } from './BagCountInput.tsx';
import { custodyText, handoverText, isAtDoor, PIN_BLOCKED, pinHint, waitsForDubersStep } from './custodyText.ts';
import styles from './LaundryCard.module.css';
import { useCustody, useCustodyChange } from './useCustody.ts';

const SCRUB = 'Scrub';

type Role = 'Bud' | 'Scrub';

/** Where the laundry of a job is, the Scrub's PIN, and the possible confirmation. */
export function LaundryCard({ order }: { order: Order }) {
  const group = ORDER_GROUPS[order.status];
  if (group === 'progress' || group === 'completed' || isBroughtHome(order)) return <Laundry order={order} />;
  if (order.status !== 'Cancelled') return null;
  return order.wayHome || hasBagMoved(order) ? <LaundryOfCancelled order={order} /> : null;
}

/** Whether a Duber brings the laundry of a cancelled order home. */
const isBroughtHome = ({ status, wayHome, round, deliveries }: Order) =>
  status === 'Cancelled' &&
  wayHome === 'bring' &&
  deliveries.some(
    (delivery) =>
      delivery.deliveryType === 'Scrub_To_Bud' && delivery.round === round && delivery.status !== 'Called_Off',
  );

/** It opens on demand, except where the town asks for proof or somebody began to give one. */
function Laundry({ order }: { order: Order }) {
  const asksProof = useConfig()?.asksProof === true;
  const { data: custody, isError } = useCustody(order);
  if (!custody && isError) return null;
  const isOpen = asksProof || order.status === 'Cancelled' || (custody && isProofUnderWay(order, custody));
  const content = custody ? (
    <>
      <p>{custodyText(custody, SCRUB)}</p>
      {waitsForDubersStep(order, custody, SCRUB) && <WaitsForDuber />}
      <Pin custody={custody} role={SCRUB} />
      {custody.canConfirm && <ConfirmReceived orderId={order.id} custody={custody} isQuiet={!isOpen} />}
      <HandoverPhotos custody={custody} role={SCRUB} />
    </>
  ) : (
    <Skeleton height={96} />
  );
  if (!isOpen)
    return (
      <Fold title="Prove the hand-over">
        <section aria-label="Laundry">{content}</section>
      </Fold>
    );
  return (
    <section className="card" aria-label="Laundry">
      <h2 className={styles.title}>Laundry</h2>
      {content}
    </section>
  );
}

/** Whether bags were counted, a PIN no longer works, or the Duber's step is missing. */
const isProofUnderWay = (order: Order, custody: Custody): boolean =>
  custody.bags !== null || custody.isPinBlocked || waitsForDubersStep(order, custody, SCRUB);

/** Where it is until its Bud has it again. No Duber brings it, so nobody needs a PIN. */
function LaundryOfCancelled({ order }: { order: Order }) {
  const { data: custody } = useCustody(order);
  if (!custody || custody.holder.role === 'Bud') return null;
  return (
    <section className="card" aria-label="Laundry">
      <h2 className={styles.title}>Laundry</h2>
      <p>{custodyText(custody, 'Scrub')}</p>
      <HandoverPhotos custody={custody} role={SCRUB} />
    </section>
  );
}

/** What to do when the Duber's phone does not work. */
export function WaitsForDuber() {
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
export function HandoverPhotos({ custody, role }: { custody: Custody; role: Role }) {
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

type ConfirmReceivedProps = { orderId: string; custody: Custody; isQuiet?: boolean };

/** "I have 2 bags". */
export function ConfirmReceived({ orderId, custody, isQuiet = false }: ConfirmReceivedProps) {
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
      <Button variant={isQuiet ? 'default' : 'filled'} aria-busy={change.isPending} {...getSinglePressProps(confirm)}>
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
