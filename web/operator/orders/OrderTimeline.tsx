import { Button } from '@mantine/core';
import { useState } from 'react';
import type { TownDelivery, TownOrder, TownStep } from '../../../contract/operator/orders.ts';
import { townReasonText } from '../../../texts/reasons.ts';
import { stepText } from '../../../texts/town.ts';
import { PhotoRead } from '../../files/Photo.tsx';
import { labelOf } from '../../ui/format.ts';
import { operatorApi } from '../operatorApi.ts';
import { TownTime } from '../TownTime.tsx';
import { useTownTime } from '../useTownDay.ts';
import styles from './OrderPage.module.css';

/** A step of the order, or of one of its deliveries. */
export type OrderStep = TownStep & { readonly delivery?: TownDelivery };

/** The steps of the order and its deliveries in one line, the newest first. */
export function mergeSteps({ steps, deliveries }: Pick<TownOrder, 'steps' | 'deliveries'>): OrderStep[] {
  const ofDeliveries = deliveries.flatMap((delivery) => delivery.steps.map((step) => ({ ...step, delivery })));
  return [...steps, ...ofDeliveries].toSorted((a, b) => a.at.localeCompare(b.at)).reverse();
}

const SHOWN_AT_FIRST = 6;

/** What happened, with who did it and why. */
export function OrderTimeline({ order }: { order: TownOrder }) {
  const [isWhole, setWhole] = useState(false);
  const steps = mergeSteps(order);
  const shown = isWhole ? steps : steps.slice(0, SHOWN_AT_FIRST);
  return (
    <section className={styles.card}>
      <div className={styles.top}>
        <h2>What happened</h2>
        <span className="quiet">Newest first</span>
      </div>
      <ol className={styles.steps} aria-label="What happened">
        {shown.map((step) => (
          <li key={`${step.delivery?.id} ${step.at} ${step.action}`} className={styles.step}>
            <Step step={step} />
          </li>
        ))}
      </ol>
      {shown.length < steps.length && (
        <div>
          <Button variant="subtle" size="compact-md" onClick={() => setWhole(true)}>
            Show All {steps.length} Steps
          </Button>
        </div>
      )}
    </section>
  );
}

function Step({ step }: { step: OrderStep }) {
  const { at, takenAt, action, status, by, reason, words, fileIds, delivery } = step;
  const townTime = useTownTime();
  const text = (action === null ? undefined : stepText(action)) ?? labelOf(status);
  const why = reason && reason !== 'other' ? townReasonText(reason) : undefined;
  return (
    <>
      <p>
        <strong>{text}</strong> · {whoOf(by)}
      </p>
      {(why || words) && (
        <p>
          {why}
          {why && words && '. '}
          {words && `“${words}”`}
        </p>
      )}
      <p className="quiet">
        <TownTime at={at} />
        {delivery && ` · ${labelOf(delivery.type, 'type')}`}
        {takenAt && ` · done ${townTime(takenAt)}, sent later`}
      </p>
      {fileIds.map((id, index) => (
        <TownPhoto key={id} id={id} alt={`Photo ${index + 1}`} />
      ))}
    </>
  );
}

function whoOf({ role, name }: TownStep['by']): string {
  if (role === 'System') return 'by itself';
  return name === null ? (role ?? 'unknown') : `${name} (${role})`;
}

/** A photo of a step, read with the operator's session. */
function TownPhoto({ id, alt }: { id: string; alt: string }) {
  const read = (signal: AbortSignal) => operatorApi.readTownFile({ params: { id } }, { signal });
  return <PhotoRead id={id} alt={alt} className={styles.photo} read={read} />;
}
