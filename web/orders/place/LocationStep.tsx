import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Address } from '../../../contract/places.ts';
import { useUser } from '../../session/session.ts';
import { RadioGroup } from '../../ui/Choice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { type ChangeDraft, chooseAddress, type OrderDraft } from './orderDraft.ts';
import { WhenChoice } from './WhenChoice.tsx';

/** Most Buds have their address already: then neither the form nor its schemas load. */
const AddressForm = lazyPart('The form', async () => (await import('../../accounts/AddressForm.tsx')).AddressForm, {
  fallback: <Skeleton height={320} />,
});

/** Step 1: one of the user's addresses, or a new one. */
export function LocationStep({ draft, change }: { draft: OrderDraft; change: ChangeDraft }) {
  const { addresses } = useUser();
  const [isAdding, setAdding] = useState(false);
  const choose = (id: string) => change((before) => chooseAddress(before, id));
  const finish = ({ id }: Address) => {
    setAdding(false);
    choose(id);
  };
  if (addresses.length === 0)
    return (
      <>
        <p className="quiet" style={{ marginBottom: 16 }}>
          You have no address yet. Add the one where your laundry is picked up.
        </p>
        <AddressForm address={undefined} onSaved={finish} />
      </>
    );
  return (
    <>
      <AddressChoices addresses={addresses} chosen={draft.addressId} choose={choose} />
      {isAdding ? (
        <AddressForm address={undefined} onSaved={finish} onCancel={() => setAdding(false)} />
      ) : (
        <Button variant="subtle" leftSection={<Icon name="plus" size={18} />} onClick={() => setAdding(true)}>
          Add New Address
        </Button>
      )}
      {draft.addressId !== undefined && <WhenChoice draft={draft} change={change} />}
    </>
  );
}

type AddressChoicesProps = {
  readonly addresses: readonly Address[];
  readonly chosen: string | undefined;
  readonly choose: (id: string) => void;
};

function AddressChoices({ addresses, chosen, choose }: AddressChoicesProps) {
  return (
    <RadioGroup
      legend="Where is your laundry?"
      options={addresses.map(({ id, label, address }) => ({ value: id, name: label, more: address }))}
      value={chosen ?? ''}
      onChange={choose}
    />
  );
}
