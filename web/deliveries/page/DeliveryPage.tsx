import { type ReactNode, useCallback, useState } from 'react';
import { Link, useParams } from 'react-router';
import type { Delivery, DeliveryDetails } from '../../../contract/deliveries.ts';
import type { Role } from '../../../domain/accounts.ts';
import { isActiveDelivery, isGoingToDrop } from '../../../domain/deliveries.ts';
import { splitDeliveryPrice, toCents, toDollars } from '../../../domain/payments.ts';
import type { ReviewType } from '../../../domain/reviews.ts';
import { useConfig } from '../../api/config.ts';
import { TakenBack } from '../../cases/TakenBack.tsx';
import type { ProofAction } from '../../handovers/proof.ts';
import {
  goesOnWithRelayed,
  isAgreed,
  isRelaySender,
  meetingText,
  type RelayRole,
  relayRoleOf,
  relaySenderText,
} from '../../handovers/relay.ts';
import { useDubersCustody } from '../../handovers/useDubersCustody.ts';
import { useIsCompact } from '../../hooks/breakpoints.ts';
import { useCanDrawMaps } from '../../places/LazyRouteMap.tsx';
import { MapCard } from '../../places/MapCard.tsx';
import { ReviewCard, ReviewContent } from '../../reviews/ReviewCard.tsx';
import { useUser } from '../../session/session.ts';
import { QueryError } from '../../ui/ErrorState.tsx';
import { isNotFound } from '../../ui/errorMessage.ts';
import { Fold } from '../../ui/Fold.tsx';
import { labelOf } from '../../ui/format.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PersonCard } from '../../ui/PersonCard.tsx';
import { PriceTable } from '../../ui/PriceTable.tsx';
import { RefreshButton } from '../../ui/RefreshButton.tsx';
import { SkeletonColumns } from '../../ui/Skeleton.tsx';
import card from '../Card.module.css';
import { isDriving } from '../nextStop.ts';
import { describeNoDuber } from '../noDuber.ts';
import { deliveriesPath } from '../paths.ts';
import { pickupAndDropOf } from '../pickupAndDrop.ts';
import { ArrivalHeadline } from '../position/Arrival.tsx';
import { arrivalText, isUnderWay } from '../position/arrivalText.ts';
import { LastSeen } from '../position/LastSeen.tsx';
import { PositionPrompt } from '../position/PositionPrompt.tsx';
import { SharePosition } from '../position/SharePosition.tsx';
import { useDriver } from '../position/useDriver.ts';
import problems from '../problems/DeliveryProblems.module.css';
import { DeliveryProblems } from '../problems/DeliveryProblems.tsx';
import {
  AskTown,
  DuberProblemSheet,
  ProblemButton,
  type ProblemDialog,
  UndeliveredSteps,
  Undo,
} from '../problems/DuberProblems.tsx';
import { type ProofInProgress, ProofSheet, ProveLine } from '../problems/ProofSheet.tsx';
import { RelayAsked } from '../problems/RelayAsked.tsx';
import { useProblemStep } from '../problems/useDeliveryException.ts';
import { QueuedSteps } from '../queuedSteps/QueuedSteps.tsx';
import { useDelivery, useDeliveryStep } from '../queuedSteps/useDelivery.ts';
import { usePlannedDelivery } from '../queuedSteps/usePlannedDelivery.ts';
import { DeliveryInformation, DeliveryStatusCard, OrderInformation } from './DeliveryDetails.tsx';
import { DeliveryNotFound } from './DeliveryNotFound.tsx';
import styles from './DeliveryPage.module.css';
import { DoneCard } from './DoneCard.tsx';
import { DriveCard } from './DriveCard.tsx';
import { earningsNote, waitingNote } from './earningsNote.ts';
import { NextStep } from './NextStep.tsx';

const SKELETON_COLUMNS = [
  { className: styles.column, heights: [220, 320, 140] },
  { className: styles.column, heights: [160, 140] },
];

/** spec 2.7 to 2.9: one delivery, as a Bud, a Scrub or a Duber sees it. */
export function DeliveryPage({ role }: { role: Role }) {
  const { deliveryId = '' } = useParams();
  const asked = useDelivery(deliveryId);
  const back = backOf(role);
  const notSent = role === 'Duber' && <QueuedSteps deliveryId={deliveryId} />;
  const user = useUser();
  if (isNotFound(asked.error)) {
    const wasHolder = role === 'Duber' && asked.data !== undefined && isRelaySender(asked.data, user.id);
    return (
      <>
        {notSent}
        <DeliveryNotFound role={role} wasHolder={wasHolder} />
      </>
    );
  }
  if (asked.data)
    return (
      <DeliveryContent
        delivery={asked.data}
        role={role}
        notSent={notSent}
        refresh={<RefreshButton onRefresh={() => void asked.refetch()} isRefreshing={asked.isFetching} />}
      />
    );
  return (
    <>
      <PageHeader title="Delivery Details" back={back} />
      {asked.isError ? (
        <QueryError query={asked} title="Unable To Get Delivery Details" text="The delivery is not affected." />
      ) : (
        <SkeletonColumns label="Loading delivery" className={styles.columns} columns={SKELETON_COLUMNS} />
      )}
    </>
  );
}

const backOf = (role: Role) => ({ to: deliveriesPath(role), label: 'Back to Deliveries' });

const subtitleOf = ({ deliveryType, order }: Delivery, role: Role) =>
  `${labelOf(deliveryType, 'type')} · ${role === 'Scrub' ? 'Job' : 'Order'} ${order.number}`;

type DeliveryViewProps = { delivery: DeliveryDetails; role: Role };
type DeliveryContentProps = DeliveryViewProps & {
  /** What waits on the device. */
  notSent: ReactNode;
  refresh: ReactNode;
};

function DeliveryContent({ delivery: served, role, notSent, refresh }: DeliveryContentProps) {
  // What is sent at once, like a position or a weight, needs the delivery as the server has it.
  const { planned: delivery, waiting } = usePlannedDelivery(served);
  const isCompact = useIsCompact();
  const user = useUser();
  const { data: custody } = useDubersCustody(delivery, user.id);
  const side = role === 'Duber' ? relayRoleOf(delivery, user.id, custody) : 'recipient';
  const isForSender = side === 'sender';
  const isOwn = role === 'Duber' && delivery.duberId === user.id;
  const isDriven = isOwn && isDriving(delivery);
  // The map comes first for a Duber who decides, and for everyone while the Duber is on the way.
  const isMapFirst = isDriven || isUnderWay(delivery) || (role === 'Duber' && delivery.status === 'Pending');
  const step = useDeliveryStep(delivery.id, user.id);
  const problemStep = useProblemStep(delivery.id);
  const [proving, setProving] = useState<ProofInProgress>();
  const prove = (action: ProofAction) => setProving({ action, isOpen: true });
  const nextStep = role === 'Duber' && (
    <>
      <NextStep delivery={delivery} waiting={waiting} step={step} onProve={prove} />
      <UndeliveredSteps delivery={delivery} step={problemStep} onProve={prove} />
    </>
  );
  const [dialog, setDialog] = useState<ProblemDialog>();
  const close = useCallback(() => setDialog(undefined), []);
  const undo = role === 'Duber' && <Undo delivery={delivery} onOpen={setDialog} />;
  // Its key keeps the same map when it moves up.
  const map = <PickupAndDropMap key="map" delivery={delivery} role={role} side={side} isDriven={isDriven} />;
  const details = (
    <>
      <DeliveryInformation delivery={delivery} role={role} />
      <OrderInformation delivery={delivery} role={role} />
    </>
  );
  return (
    <>
      <PageHeader
        title="Delivery Details"
        subtitle={!isDriven && subtitleOf(delivery, role)}
        back={backOf(role)}
        isSmall={isDriven}
      >
        {role === 'Duber' && <ProblemButton delivery={delivery} onOpen={setDialog} />}
        {refresh}
      </PageHeader>
      {notSent}
      <div className={styles.columns}>
        <div className={styles.column}>
          {served.status === 'Delivered' && <DoneCard delivery={served} role={role} />}
          {side === 'recipient' && <DeliveryProblems delivery={delivery} role={role} />}
          {role === 'Duber' && <RelayCard delivery={delivery} />}
          {role === 'Duber' && !isForSender && <RelayAsked delivery={delivery} />}
          {isDriven ? (
            <DriveCard
              delivery={delivery}
              side={side}
              undo={undo}
              proof={<ProveLine delivery={delivery} onProve={prove} />}
            />
          ) : (
            undo
          )}
          {isMapFirst && map}
          <DeliveryStatusCard {...{ delivery, waiting, side, isOwn }} />
          {canSharePosition(served, role) && !isForSender && <SharePosition delivery={served} />}
          {role === 'Duber' && <LazyDuberWeigh delivery={served} />}
          {!isMapFirst && map}
          {isDriven ? (
            <Fold title="Details">
              <div className={styles.details}>
                {details}
                <DeliveryEarnings delivery={served} />
              </div>
            </Fold>
          ) : (
            details
          )}
        </div>
        <div className={styles.column}>
          {!isCompact && nextStep}
          <DeliverySidebar delivery={served} role={role} hasEarnings={role === 'Duber' && !isForSender && !isDriven} />
        </div>
      </div>
      {isCompact && nextStep}
      {proving && (
        <ProofSheet
          delivery={delivery}
          proving={proving}
          step={step}
          problemStep={problemStep}
          onClose={() => setProving({ ...proving, isOpen: false })}
        />
      )}
      {dialog === 'problem' && (
        <DuberProblemSheet delivery={delivery} side={side} onClose={close} onAsk={() => setDialog('town')} />
      )}
      {dialog === 'town' && <AskTown deliveryId={delivery.id} onClose={close} />}
    </>
  );
}

// The switch is shown as soon as the delivery is theirs, so that a Duber can agree before leaving.
const canSharePosition = (delivery: Delivery, role: Role) => role === 'Duber' && isActiveDelivery(delivery);

type DeliveryMapProps = DeliveryViewProps & { side: RelayRole; isDriven: boolean };

/** The route, and for the Bud and the Scrub the driver's last position; for the driver the question whether they share it. */
function PickupAndDropMap({ delivery, role, side, isDriven }: DeliveryMapProps) {
  const { position, route } = useDriver(delivery, role !== 'Duber');
  const canDraw = useCanDrawMaps();
  const reader = side === 'sender' ? side : role;
  const text = reader === 'Duber' ? undefined : arrivalText(delivery, reader);
  return (
    <div className={canDraw ? styles.map : styles.column}>
      {isDriven && <PositionPrompt delivery={delivery} />}
      <MapCard
        title="Pickup & Drop Locations"
        {...pickupAndDropOf(delivery, role, side)}
        distanceInMeters={delivery.distanceInMeters}
        isAgreed={isAgreed(delivery, role)}
        position={position ?? undefined}
        route={route}
        headline={text && <ArrivalHeadline text={text} route={route} />}
      >
        <LastSeen delivery={delivery} position={position} />
      </MapCard>
    </div>
  );
}

/** The people come first while the delivery is open, the reviews once it is done. */
function DeliverySidebar({ delivery, role, hasEarnings }: DeliveryViewProps & { hasEarnings: boolean }) {
  const reviews = <DeliveryReviews delivery={delivery} role={role} />;
  const isDone = delivery.status === 'Delivered';
  return (
    <>
      {isDone && reviews}
      {hasEarnings && <DeliveryEarnings delivery={delivery} />}
      <DeliveryPeople delivery={delivery} role={role} />
      {!isDone && role !== 'Duber' && reviews}
    </>
  );
}

const PEOPLE = {
  customer: { title: 'Customer', of: (delivery: Delivery) => delivery.bud },
  provider: { title: 'Service Provider', of: (delivery: Delivery) => delivery.scrub },
  driver: { title: 'Driver', of: (delivery: Delivery) => delivery.duber, describeNobody: describeNoDuber },
} as const;

/** The other people of a delivery, per viewer. */
const PEOPLE_BY_VIEWER: Record<Role, readonly (keyof typeof PEOPLE)[]> = {
  Bud: ['driver', 'provider'],
  Scrub: ['driver', 'customer'],
  Duber: ['customer', 'provider'],
};

function DeliveryPeople({ delivery, role }: { delivery: Delivery; role: Role }) {
  return PEOPLE_BY_VIEWER[role].map((name) => {
    const card = PEOPLE[name];
    const emptyText = 'describeNobody' in card ? { emptyText: card.describeNobody(delivery, role) } : {};
    return <PersonCard key={name} title={card.title} person={card.of(delivery)} {...emptyText} />;
  });
}

type DeliveryEarningsProps = { delivery: DeliveryDetails };

/** What the Duber earns with the delivery, and its parts. Of one that has stopped, only what was `paid`. */
function DeliveryEarnings({ delivery }: DeliveryEarningsProps) {
  const { id, orderId, price, paid = null } = delivery;
  const waits = paid === null ? waitingNote(delivery) : undefined;
  return (
    <section className="card" aria-label="Delivery Earnings">
      <h2 className={card.title}>Delivery Earnings</h2>
      {paid === null ? <EarningParts price={price} /> : <p>{earningsNote(paid, delivery)}</p>}
      {waits && <p className={`quiet ${card.under}`}>{waits}</p>}
      <TakenBack orderId={orderId} deliveryId={id} className={`quiet ${card.under}`} />
    </section>
  );
}

function EarningParts({ price }: { price: number }) {
  const { base, distance, service } = splitDeliveryPrice(toCents(price));
  const lines = [
    { label: 'Base rate (80%)', amount: toDollars(base) },
    { label: 'Distance fee (15%)', amount: toDollars(distance) },
    { label: 'Service fee (5%)', amount: toDollars(service) },
  ];
  return <PriceTable lines={lines} total={{ label: 'Your earnings', amount: price }} />;
}

const DuberWeigh = lazyPart('The form for the weight', async () => (await import('./DuberWeigh.tsx')).DuberWeigh);

/** On the way to the Scrub, where laundry is weighed. */
const canBeWeighed = ({ deliveryType, status }: Delivery) => deliveryType === 'Bud_To_Scrub' && isGoingToDrop(status);

function LazyDuberWeigh({ delivery }: { delivery: Delivery }) {
  const user = useUser();
  const config = useConfig();
  if (!config?.weighsLaundry || delivery.duberId !== user.id || !canBeWeighed(delivery)) return null;
  return <DuberWeigh key={delivery.id} deliveryId={delivery.id} />;
}

/** What the two Dubers of a relay read: the one who keeps the laundry, and the one who collects it from them. */
function RelayCard({ delivery }: { delivery: DeliveryDetails }) {
  const { id } = useUser();
  const { data: custody } = useDubersCustody(delivery, id);
  const side = relayRoleOf(delivery, id, custody);
  if (side === 'sender') return <RelaySenderNews delivery={delivery} />;
  if (side === 'holder' || !goesOnWithRelayed(delivery, id)) return null;
  const holder = custody?.holder.role === 'Duber' ? custody.holder.fullname : undefined;
  return (
    <section className={problems.news} aria-label="Another Duber has the laundry">
      <h2>{holder ? `Look for ${holder}` : 'Another Duber has the laundry'}</h2>
      <p>{meetingText(holder)}</p>
    </section>
  );
}

function RelaySenderNews({ delivery }: { delivery: DeliveryDetails }) {
  const { title, text } = relaySenderText(delivery);
  return (
    <section className={problems.news} aria-label="You have the laundry" aria-live="polite">
      <h2>{title}</h2>
      <p>{text}</p>
      <p>
        You are paid for the part of the trip that you did: <Link to="/duber/earnings">see your earnings</Link>.
      </p>
    </section>
  );
}

/** The viewer's review of the driver; for the driver, the reviews of both sides. */
function DeliveryReviews({ delivery, role }: { delivery: Delivery; role: Role }) {
  const user = useUser();
  // An order has two deliveries, each with its own reviews.
  const reviews = delivery.order.reviews.filter((review) => review.deliveryId === delivery.id);
  const subject = { id: delivery.id, status: delivery.status, reviews };
  if (role !== 'Duber')
    return <ReviewCard authorRole={role} targetRole="Duber" subject={subject} targetId={delivery.duberId} />;
  if (delivery.duberId !== user.id) return null;
  const of = (type: ReviewType) => reviews.find((review) => review.type === type);
  return (
    <section className="card" aria-label="Reviews Received">
      <h2 className={card.title}>Reviews Received</h2>
      <div className={card.two}>
        <div>
          <h3>Scrub Review</h3>
          <ReviewContent review={of('Scrub_To_Duber')} />
        </div>
        <div>
          <h3>Bud Review</h3>
          <ReviewContent review={of('Bud_To_Duber')} />
        </div>
      </div>
    </section>
  );
}
