import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { api } from '../api/client.ts';
import { TOWN_NAME } from '../town.ts';
import { errorMessageOf } from '../ui/errorMessage.ts';
import { PageHeader } from '../ui/PageHeader.tsx';
import { QrCode } from '../ui/QrCode.tsx';
import { toast } from '../ui/toast.tsx';
import { BagCountInput } from './BagCountInput.tsx';
import styles from './BagTags.module.css';

/** Tags to print or to copy by hand: one for each bag of an order. */
export function BagTags() {
  const { orderId = '' } = useParams();
  const [bags, setBags] = useState(2);
  const making = useMutation({
    mutationFn: () => api.makeBags({ params: { id: orderId }, body: { bags } }),
    onError: (error) => toast.error('No Tags', { description: errorMessageOf(error, 'Something went wrong') }),
  });
  return (
    <>
      <PageHeader
        title="Tags for your bags"
        subtitle="Print them, or write the six characters on each bag."
        back={{ to: `/bud/orders/${orderId}`, label: 'Back to the order' }}
      />
      <div className={styles.make}>
        <BagCountInput label="Bags" value={bags} onChange={(value) => setBags(Number(value) || 1)} />
        <Button loading={making.isPending} onClick={() => making.mutate()}>
          Make tags
        </Button>
        {making.data && (
          <Button variant="default" onClick={() => window.print()}>
            Print
          </Button>
        )}
      </div>
      {making.data && (
        <ul className={styles.tags}>
          {making.data.tags.map(({ code, n, url }) => (
            <li key={code} className={styles.tag}>
              <QrCode text={url} />
              <strong>{code}</strong>
              <span>
                {TOWN_NAME}, bag {n}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
