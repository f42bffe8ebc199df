import { ActionIcon, Button } from '@mantine/core';
import { useState } from 'react';
import type { Address } from '../../contract/places.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Icon } from '../ui/icons.tsx';
import { AddressForm } from './AddressForm.tsx';
import styles from './Profile.module.css';

/** The user's addresses. One can be edited at a time, and a Bud may add more. */
export function Addresses({ addresses, mayAdd }: { addresses: readonly Address[]; mayAdd: boolean }) {
  const [editing, setEditing] = useState<string | 'new'>();
  const stop = () => setEditing(undefined);
  return (
    <section className="card" aria-labelledby="addresses">
      <div className={styles.title}>
        <h2 id="addresses">Address</h2>
        {mayAdd && editing !== 'new' && (
          <Button variant="outline" leftSection={<Icon name="plus" size={18} />} onClick={() => setEditing('new')}>
            Add New Address
          </Button>
        )}
      </div>
      {addresses.length === 0 && editing !== 'new' && <EmptyState text="No addresses yet." />}
      <ul className={styles.list}>
        {editing === 'new' && (
          <li>
            <AddressForm address={undefined} onDone={stop} />
          </li>
        )}
        {addresses.map((address) => (
          <li key={address.id}>
            {editing === address.id ? (
              <AddressForm address={address} onDone={stop} />
            ) : (
              <AddressRow address={address} onEdit={() => setEditing(address.id)} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function AddressRow({ address, onEdit }: { address: Address; onEdit: () => void }) {
  return (
    <div className={styles.address}>
      <Icon name="pin" />
      <div className={styles.words}>
        <p className={styles.label}>{address.label}</p>
        <p className="quiet">{address.address}</p>
      </div>
      <ActionIcon aria-label={`Edit ${address.label}`} title={`Edit ${address.label}`} onClick={onEdit}>
        <Icon name="edit" />
      </ActionIcon>
    </div>
  );
}
