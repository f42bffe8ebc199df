import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type Address, createAddress, updateAddress } from '../../contract/places.ts';
import { api } from '../api/client.ts';
import { readSession } from '../api/currentSession.ts';
import { notifyIfSessionExpired, queryClient } from '../api/queryClient.ts';
import { LocationField } from '../places/LocationField.tsx';
import { confirmStreetOfPin } from '../places/streetDistance.ts';
import type { PickedLocation } from '../places/useLocationDraft.ts';
import { updateUser } from '../session/session.ts';
import { errorMessageOf } from '../ui/errorMessage.ts';
import { toast } from '../ui/toast.tsx';
import { type FormErrors, serverErrorsOf, useForm, validateFields } from '../ui/useForm.ts';
import styles from './Profile.module.css';

type AddressValues = { label: string; address: string; location: PickedLocation | undefined };
const newTextSchema = createAddress.body.pick({ label: true, address: true });
// The server knows whether a text from before the rules is unchanged.
const editedTextSchema = updateAddress.body.pick({ label: true, address: true });

function validate({ label, address, location }: AddressValues, schema: typeof newTextSchema): FormErrors {
  const words = validateFields(schema, { label, address });
  return location ? words : { ...words, location: 'Please select location on map' };
}

const valuesOf = (address: Address | undefined): AddressValues => ({
  label: address?.label ?? '',
  address: address?.address ?? '',
  location: address && { label: address.address, lat: address.latitude, lng: address.longitude, source: 'map' },
});

/** Updates the address in the session's user, and drops search results around the old one. */
function putAddressInSession(saved: Address): void {
  const before = readSession().user?.addresses ?? [];
  const isKnown = before.some((one) => one.id === saved.id);
  updateUser({ addresses: isKnown ? before.map((one) => (one.id === saved.id ? saved : one)) : [...before, saved] });
  queryClient.invalidateQueries();
}

async function saveAddress(body: Omit<Address, 'id'>, id: string | undefined): Promise<Address> {
  const saved = id ? await api.updateAddress({ body: { ...body, id } }) : await api.createAddress({ body });
  putAddressInSession(saved);
  return saved;
}

/** The form's state and submission. */
function useAddressForm(address: Address | undefined, onSaved: (saved: Address) => void) {
  const form = useForm<AddressValues>(valuesOf(address), (values) =>
    validate(values, address ? editedTextSchema : newTextSchema),
  );
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<string>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { address: text, location } = form.values;
    const label = form.values.label.trim();
    if (isSaving || !form.isValid() || !location) return;
    setSaving(true);
    setFailure(undefined);
    if (!(await confirmStreetOfPin(text, location))) return setSaving(false);
    try {
      const body = { label, address: text, latitude: location.lat, longitude: location.lng };
      const saved = await saveAddress(body, address?.id);
      toast.success(address ? `${label} address updated` : `${label} address added`);
      onSaved(saved);
    } catch (error) {
      notifyIfSessionExpired(error);
      // spec 8: the toast is always the same, the form says why.
      const title = address ? `${label} address not updated` : `${label} address not added`;
      toast.error(title, { description: 'Something went wrong.' });
      form.setErrors(serverErrorsOf(error));
      setFailure(errorMessageOf(error, 'Something went wrong.'));
      setSaving(false);
    }
  };
  return { form, isSaving, failure, submit };
}

type AddressFormProps = {
  readonly address: Address | undefined;
  readonly onSaved: (saved: Address) => void;
  /** Without it, an address is needed here. */
  readonly onCancel?: () => void;
};

/** Adds an address, or changes one. Used on the profile and while ordering. */
export function AddressForm({ address, onSaved, onCancel }: AddressFormProps) {
  const { form, isSaving, failure, submit } = useAddressForm(address, onSaved);
  const name = address ? `Edit ${address.label}` : 'Add New Address';
  return (
    <form ref={form.form} className={`${styles.form} ${styles.box}`} onSubmit={submit} noValidate aria-label={name}>
      <TextInput label="Label" placeholder="Home, Work…" {...form.bind('label')} />
      <TextInput label="Address" autoComplete="street-address" {...form.bind('address')} />
      <LocationField
        value={form.values.location}
        error={form.errors.location}
        onChange={(picked) => form.set('location', picked)}
        street={form.values.address}
        onStreet={(street) => form.set('address', street)}
      />
      {failure && (
        <p className={styles.wrong} role="alert">
          {failure}
        </p>
      )}
      <div className="buttons">
        <Button type="submit" loading={isSaving}>
          Save
        </Button>
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}
