import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { v4 as newKey } from 'uuid';
import { api } from '../../api.ts';
import { formatPounds, parsePounds } from '../../orders/weighing/pounds.ts';
import { WeighFields } from '../../orders/weighing/WeighFields.tsx';
import styles from '../../orders/weighing/Weighing.module.css';
import { sendOnce } from '../../payments/idempotencyKey.ts';
import { errorMessageOf } from '../../ui/errorMessage.ts';
import { toast } from '../../ui/toast.tsx';

type WeighBody = Parameters<typeof api.weighDelivery>[0]['body'];

/** A Duber with a scale may weigh the laundry on its way to the Scrub. */
export function DuberWeigh({ deliveryId }: { deliveryId: string }) {
  const [isOpen, setOpen] = useState(false);
  const weigh = useMutation({
    mutationFn: (body: WeighBody) =>
      sendOnce((idempotencyKey) => api.weighDelivery({ params: { id: deliveryId }, body, idempotencyKey }), newKey),
    onSuccess: () => toast.success('Weight sent'),
    onError: (error) =>
      toast.error('Weight not sent', { description: errorMessageOf(error, 'Nothing has changed. Please try again.') }),
  });
  return (
    <section className={`card ${styles.card}`} aria-label="Weight">
      <h2>Weight</h2>
      {weigh.data ? (
        <p role="status">You weighed {formatPounds(weigh.data.grams)}. Thank you.</p>
      ) : (
        <>
          <p>Do you have a scale with you? You can weigh the laundry, too. You do not have to.</p>
          {isOpen ? (
            <DuberWeighForm isPending={weigh.isPending} onSend={weigh.mutate} />
          ) : (
            <div>
              <Button variant="default" onClick={() => setOpen(true)}>
                Weigh It
              </Button>
            </div>
          )}
        </>
      )}
    </section>
  );
}

type DuberWeighFormProps = { isPending: boolean; onSend: (body: WeighBody) => void };

function DuberWeighForm({ isPending, onSend }: DuberWeighFormProps) {
  const [pounds, setPounds] = useState('');
  const [fileIds, setFileIds] = useState<readonly string[]>([]);
  const [wasSent, setSent] = useState(false);
  const grams = parsePounds(pounds);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (grams !== undefined && !isPending) onSend({ grams, ...(fileIds.length > 0 ? { fileIds: [...fileIds] } : {}) });
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate aria-label="Weigh the laundry">
      <WeighFields
        {...{ pounds, fileIds }}
        onPounds={setPounds}
        onFileIds={setFileIds}
        photoLabel="Photo of the display (optional)"
        errors={{ pounds: wasSent && grams === undefined ? 'Type what the scale shows, in pounds' : undefined }}
      />
      <Button type="submit" size="lg" fullWidth loading={isPending}>
        Send Weight
      </Button>
    </form>
  );
}
