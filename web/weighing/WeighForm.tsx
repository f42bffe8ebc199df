import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Order } from '../../contract/orders.ts';
import type { Weighing } from '../../contract/weighing.ts';
import { judgeWeight, type WeighingVerdict } from '../../domain/weighing.ts';
import { api } from '../api/client.ts';
import { useConfig } from '../api/config.ts';
import { Choice } from '../ui/Choice.tsx';
import { loadSizeLabel } from '../ui/loadSizeLabel.ts';
import { sizesSold } from './sizeLimit.ts';
import { useWeighFields } from './useWeighFields.ts';
import { useWeighingChange } from './useWeighing.ts';
import { WeighFields } from './WeighFields.tsx';
import styles from './Weighing.module.css';

type WeighBody = Parameters<typeof api.weighOrder>[0]['body'];

/** The Scrub says what the laundry weighs. */
export function WeighForm({ order, weighing }: { order: Order; weighing: Weighing }) {
  const [splits, setSplits] = useState(false);
  const sold = sizesSold(useConfig());
  const weigh = useWeighingChange(
    order.id,
    (body: WeighBody, idempotencyKey) => api.weighOrder({ params: { id: order.id }, body, idempotencyKey }),
    { done: 'Weight sent', failed: 'Weight not sent' },
  );
  const { grams, fields, submit } = useWeighFields((weight) => {
    if (!weigh.isPending) weigh.mutate({ ...weight, splits: isBeyond && splits });
  });
  const { size, ceilingSize: limit } = weighing;
  const verdict = grams === undefined ? undefined : judgeWeight(grams, { size, limit, sold });
  const isBeyond = verdict?.kind === 'beyond';
  return (
    <form className={styles.form} onSubmit={submit} noValidate aria-label="Weigh the laundry">
      <WeighFields {...fields} />
      <p aria-live="polite" className={styles.verdict}>
        {verdict && describeVerdict(verdict, weighing)}
      </p>
      {isBeyond && (
        <Choice type="checkbox" name="I can wash a part of it" checked={splits} onChoose={() => setSplits(!splits)}>
          {`As much as fits ${loadSizeLabel(limit)}. The rest goes back as it is.`}
        </Choice>
      )}
      <Button type="submit" size="lg" fullWidth loading={weigh.isPending}>
        Send Weight
      </Button>
    </form>
  );
}

/** What the weight would lead to, so that a wrong digit is seen before it is sent. */
function describeVerdict(verdict: WeighingVerdict, { size, ceilingSize }: Weighing): string {
  if (verdict.kind === 'same') return `That is ${loadSizeLabel(size)}, as ordered.`;
  const becomes = verdict.size ? loadSizeLabel(verdict.size) : 'more than any load that is sold here';
  if (verdict.kind === 'beyond')
    return `That is ${becomes}. The customer agreed to ${loadSizeLabel(ceilingSize)} at most, so we ask them what to do.`;
  return `That is ${becomes}, not ${loadSizeLabel(size)} as ordered. The customer pays for what it weighs.`;
}
