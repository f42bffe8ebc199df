import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { v4 as newKey } from 'uuid';
import { CallFailed } from '../../../contract/callClient.ts';
import type { Failure } from '../../../contract/failures.ts';
import { formatPounds } from '../../../domain/weighing.ts';
import { api } from '../../api/client.ts';
import { sendOnce } from '../../payments/idempotencyKey.ts';
import { errorMessageOf } from '../../ui/errorMessage.ts';
import { toast } from '../../ui/toast.tsx';
import { useWeighFields } from '../../weighing/useWeighFields.ts';
import { WeighFields } from '../../weighing/WeighFields.tsx';
import styles from '../../weighing/Weighing.module.css';

type WeighBody = Parameters<typeof api.weighDelivery>[0]['body'];

/** Why there is nothing to weigh after all: the town weighs, but not this order, or it was done before. */
const REFUSED_TEXTS: Readonly<Partial<Record<Failure, string>>> = {
  notWeighed: 'This order was placed before the town began to weigh laundry. You have nothing to do.',
  alreadyWeighed: 'This laundry is weighed already. You have nothing to do.',
};
const refusalOf = (error: unknown) =>
  error instanceof CallFailed && error.code ? REFUSED_TEXTS[error.code] : undefined;

/** A Duber with a scale may weigh the laundry on its way to the Scrub. */
export function DuberWeigh({ deliveryId }: { deliveryId: string }) {
  const [isOpen, setOpen] = useState(false);
  const weigh = useMutation({
    mutationFn: (body: WeighBody) =>
      sendOnce((idempotencyKey) => api.weighDelivery({ params: { id: deliveryId }, body, idempotencyKey }), newKey),
    onSuccess: () => toast.success('Weight sent'),
    onError: (error) => {
      if (refusalOf(error) === undefined)
        toast.error('Weight not sent', {
          description: errorMessageOf(error, 'Nothing has changed. Please try again.'),
        });
    },
  });
  const outcome = weigh.data ? `You weighed ${formatPounds(weigh.data.grams)}. Thank you.` : refusalOf(weigh.error);
  return (
    <section className={`card ${styles.card}`} aria-label="Weight">
      <h2>Weight</h2>
      <p role="status">{outcome ?? 'If you have a scale, you can weigh the laundry. This is optional.'}</p>
      {outcome === undefined && isOpen && <DuberWeighForm isPending={weigh.isPending} onSend={weigh.mutate} />}
      {outcome === undefined && !isOpen && (
        <div>
          <Button variant="default" onClick={() => setOpen(true)}>
            Weigh the Laundry
          </Button>
        </div>
      )}
    </section>
  );
}

type DuberWeighFormProps = { isPending: boolean; onSend: (body: WeighBody) => void };

function DuberWeighForm({ isPending, onSend }: DuberWeighFormProps) {
  const { fields, submit } = useWeighFields((weight) => {
    if (!isPending) onSend(weight);
  });
  return (
    <form className={styles.form} onSubmit={submit} noValidate aria-label="Weigh the laundry">
      <WeighFields {...fields} />
      <Button type="submit" size="lg" fullWidth loading={isPending}>
        Send Weight
      </Button>
    </form>
  );
}
