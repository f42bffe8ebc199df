import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { CallFailed } from '../../../contract/client.ts';
import { createAddress } from '../../../contract/places.ts';
import { updateUser, useUser } from '../../accounts/session.ts';
import { api } from '../../api.ts';
import { type FormErrors, serverErrorsOf, useForm, validateFields } from '../../hooks/useForm.ts';
import { LocationField } from '../../places/LocationField.tsx';
import type { PickedLocation } from '../../places/useLocationDraft.ts';
import { toast } from '../../ui/toast.tsx';
import styles from './AddAddress.module.css';

type AddressValues = { label: string; address: string; location: PickedLocation | undefined };

const bodyOf = ({ label, address, location }: AddressValues) => ({
  label,
  address,
  latitude: location?.lat as number,
  longitude: location?.lng as number,
});

function validate(values: AddressValues): FormErrors {
  const { latitude, longitude, ...words } = validateFields(createAddress.body, bodyOf(values));
  return latitude || longitude ? { ...words, location: 'Please select location on map' } : words; // spec 5
}

/** Adds an address to the user's profile, and shows the result. */
function useAddAddress(onAdded: (addressId: string) => void, onFaults: (errors: FormErrors) => void) {
  const user = useUser();
  return useMutation({
    mutationFn: (values: AddressValues) => api.createAddress({ body: bodyOf(values) }),
    onSuccess: (address) => {
      updateUser({ addresses: [...user.addresses, address] });
      toast.success(`${address.label} address added`);
      onAdded(address.id);
    },
    onError: (error, { label }) => {
      onFaults(serverErrorsOf(error));
      const description = error instanceof CallFailed ? error.message : 'Something went wrong.';
      toast.error(`${label} address not added`, { description });
    },
  });
}

/** Adds an address without leaving the order; calls `onAdded` once it is saved. */
export function AddAddress({ onAdded, onCancel }: { onAdded: (addressId: string) => void; onCancel?: () => void }) {
  const form = useForm<AddressValues>({ label: '', address: '', location: undefined }, validate);
  const add = useAddAddress(onAdded, form.setErrors);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!add.isPending && form.isValid()) add.mutate(form.values);
  };
  const pick = (location: PickedLocation) => {
    form.set('location', location);
    if (form.values.address.trim() === '' && location.label !== '') form.set('address', location.label);
  };
  return (
    <form ref={form.form} className={styles.form} onSubmit={send} noValidate aria-label="Add New Address">
      <TextInput label="Label" placeholder="Home, Work, …" maxLength={50} {...form.bind('label')} />
      <TextInput label="Address" autoComplete="street-address" maxLength={300} {...form.bind('address')} />
      <LocationField value={form.values.location} onChange={pick} error={form.errors.location} />
      <div className={styles.buttons}>
        <Button type="submit" loading={add.isPending}>
          Save Address
        </Button>
        {onCancel && (
          <Button variant="subtle" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}
