import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Address } from '../../../contract/places.ts';
import { useUser } from '../../accounts/session.ts';
import { Icon } from '../../ui/icons.tsx';
import { AddAddress } from './AddAddress.tsx';
import { Choice, Choices } from './Choice.tsx';
import { type Change, chooseAddress, type Draft } from './draft.ts';

/** Step 1: which of the own addresses, or a new one. */
export function LocationStep({ draft, change }: { draft: Draft; change: Change }) {
  const { addresses } = useUser();
  const [isAdding, setAdding] = useState(false);
  const choose = (id: string) => change((before) => chooseAddress(before, id));
  const finish = (id: string) => {
    setAdding(false);
    choose(id);
  };
  if (addresses.length === 0)
    return (
      <>
        <p className="quiet" style={{ marginBottom: 16 }}>
          You have no address yet. Add the one where your laundry is.
        </p>
        <AddAddress onAdded={finish} />
      </>
    );
  return (
    <>
      <Addresses addresses={addresses} chosen={draft.addressId} choose={choose} />
      {isAdding ? (
        <AddAddress onAdded={finish} onCancel={() => setAdding(false)} />
      ) : (
        <Button variant="subtle" leftSection={<Icon name="plus" size={18} />} onClick={() => setAdding(true)}>
          Add New Address
        </Button>
      )}
    </>
  );
}

type AddressesProps = {
  readonly addresses: readonly Address[];
  readonly chosen: string | undefined;
  readonly choose: (id: string) => void;
};

function Addresses({ addresses, chosen, choose }: AddressesProps) {
  return (
    <Choices legend="Where is your laundry?">
      {addresses.map((address) => (
        <Choice
          key={address.id}
          type="radio"
          group="address"
          name={address.label}
          checked={chosen === address.id}
          onChoose={() => choose(address.id)}
        >
          {address.address}
        </Choice>
      ))}
    </Choices>
  );
}
