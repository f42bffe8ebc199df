import { ActionIcon, Button } from '@mantine/core';
import { useState } from 'react';
import { CallFailed } from '../../contract/callClient.ts';
import type { Address } from '../../contract/places.ts';
import { MAX_ADDRESSES } from '../../domain/places.ts';
import { api } from '../api/client.ts';
import { readSession } from '../api/currentSession.ts';
import { notifyIfSessionExpired, queryClient } from '../api/queryClient.ts';
import { locationText } from '../places/locationText.ts';
import { updateUser } from '../session/session.ts';
import { ask } from '../ui/ask.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { errorMessageOf } from '../ui/errorMessage.ts';
import items from '../ui/ItemList.module.css';
import { Icon } from '../ui/icons.tsx';
import { toast } from '../ui/toast.tsx';
import { AddressForm } from './AddressForm.tsx';
import styles from './Profile.module.css';

const FULL_TEXT = `You have ${MAX_ADDRESSES} addresses, which is the maximum. To add another, delete one you no longer use.`;

/** The user's addresses. One can be edited at a time. A Bud may add more, and delete all but the last one. */
export function Addresses({ addresses, mayAdd }: { addresses: readonly Address[]; mayAdd: boolean }) {
  const [editing, setEditing] = useState<string | 'new'>();
  const stop = () => setEditing(undefined);
  const isFull = addresses.length >= MAX_ADDRESSES;
  return (
    <section className="card" aria-labelledby="addresses">
      <div className={styles.title}>
        <h2 id="addresses">Address</h2>
        {mayAdd && !isFull && editing !== 'new' && (
          <Button variant="outline" leftSection={<Icon name="plus" size={18} />} onClick={() => setEditing('new')}>
            Add New Address
          </Button>
        )}
      </div>
      {mayAdd && isFull && <p className={`quiet ${styles.full}`}>{FULL_TEXT}</p>}
      {addresses.length === 0 && editing !== 'new' && <EmptyState drawing="house" text="No addresses yet." />}
      <ul className={items.list}>
        {editing === 'new' && (
          <li>
            <AddressForm address={undefined} onSaved={stop} onCancel={stop} />
          </li>
        )}
        {addresses.map((address) => (
          <li key={address.id}>
            {editing === address.id ? (
              <AddressForm address={address} onSaved={stop} onCancel={stop} />
            ) : (
              <AddressRow
                address={address}
                mayDelete={mayAdd && addresses.length > 1}
                onEdit={() => setEditing(address.id)}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Deletes an address after a question. */
function useDeleteAddress({ id, label }: Address) {
  const [isDeleting, setDeleting] = useState(false);
  const run = async () => {
    const question = {
      title: `Delete ${label}?`,
      text: 'Your orders will keep this address.',
      button: 'Delete',
      isDestructive: true,
    };
    if (isDeleting || !(await ask(question))) return;
    setDeleting(true);
    try {
      await deleteAddress(id);
      toast.success(`${label} address deleted`);
    } catch (error) {
      notifyIfSessionExpired(error);
      setDeleting(false);
      toast.error(`${label} address not deleted`, { description: errorMessageOf(error, 'Something went wrong.') });
    }
  };
  return { run, isDeleting };
}

/** An address that another tab has deleted is gone, too. */
async function deleteAddress(id: string): Promise<void> {
  await api.deleteAddress({ body: { id } }).catch((error: unknown) => {
    if (!(error instanceof CallFailed) || error.statusCode !== 404) throw error;
  });
  const before = readSession().user?.addresses ?? [];
  updateUser({ addresses: before.filter((one) => one.id !== id) });
  queryClient.invalidateQueries();
}

type AddressRowProps = { address: Address; mayDelete: boolean; onEdit: () => void };

function AddressRow({ address, mayDelete, onEdit }: AddressRowProps) {
  const { run, isDeleting } = useDeleteAddress(address);
  const [edit, remove] = [`Edit ${address.label}`, `Delete ${address.label}`];
  return (
    <div className={items.item}>
      <Icon name="pin" />
      <div className={items.words}>
        <p className={items.label}>{address.label}</p>
        <p className="quiet">{address.address}</p>
        <p className="quiet">{locationText({ lat: address.latitude, lng: address.longitude })}</p>
      </div>
      <div className={items.actions}>
        <ActionIcon aria-label={edit} title={edit} onClick={onEdit}>
          <Icon name="edit" />
        </ActionIcon>
        {mayDelete && (
          <ActionIcon aria-label={remove} title={remove} loading={isDeleting} onClick={() => void run()}>
            <Icon name="trash" />
          </ActionIcon>
        )}
      </div>
    </div>
  );
}
