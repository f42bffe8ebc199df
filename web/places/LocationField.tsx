import { Button, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { Icon } from '../ui/icons.tsx';
import { describePoint } from './describePoint.ts';
import styles from './LocationPicker.module.css';
import { LocationPicker } from './LocationPicker.tsx';
import { locationText } from './locationText.ts';
import type { PickedLocation } from './useLocationDraft.ts';

type LocationFieldProps = {
  readonly value: PickedLocation | undefined;
  readonly onChange: (picked: PickedLocation) => void;
  readonly error?: string | undefined;
  /** The street that belongs to the point, in a form that asks for it as well. */
  readonly street?: string | undefined;
  readonly onStreet?: ((street: string) => void) | undefined;
};

/**
 * The street at a pin that was moved here: it fills an empty field, and is offered where the field says another one. The offer has room
 * as soon as the pin moved, so that nothing below moves when the street is found.
 */
function useStreetAtPin({ street = '', onStreet }: Pick<LocationFieldProps, 'street' | 'onStreet'>) {
  const [found, setFound] = useState('');
  const [hasRoom, setRoom] = useState(false);
  const newest = useRef<PickedLocation>(undefined);
  const latest = useRef(street);
  latest.current = street;
  const lookUp = async (picked: PickedLocation) => {
    if (!onStreet) return;
    newest.current = picked;
    setFound('');
    if (latest.current.trim() !== '') setRoom(true);
    // Coordinates that were typed have no words yet.
    const label = picked.label || (await describePoint(picked));
    if (newest.current !== picked || label === '') return;
    if (latest.current.trim() === '') onStreet(label);
    setFound(label);
  };
  return { proposed: found !== street.trim() && street.trim() !== '' ? found : '', hasRoom, lookUp };
}

/** The chosen point, read-only, with a button that opens the picker. */
export function LocationField({ value, onChange, error, street, onStreet }: LocationFieldProps) {
  const [isOpen, setOpen] = useState(false);
  const { proposed, hasRoom, lookUp } = useStreetAtPin({ street, onStreet });
  const pick = (picked: PickedLocation) => {
    onChange(picked);
    void lookUp(picked);
  };
  return (
    <div className={styles.field}>
      <TextInput
        label="Location (lat, lng)"
        readOnly
        value={value ? locationText(value) : ''}
        placeholder="No pin yet"
        error={error}
      />
      <Button
        variant="outline"
        leftSection={<Icon name="pin" size={18} />}
        data-field="location"
        onClick={() => setOpen(true)}
      >
        Select Location
      </Button>
      <div role="status" className={hasRoom ? styles.room : undefined}>
        {proposed !== '' && (
          <Button className={styles.street ?? ''} variant="light" onClick={() => onStreet?.(proposed)}>
            {`Use ${proposed}?`}
          </Button>
        )}
      </div>
      <LocationPicker opened={isOpen} onClose={() => setOpen(false)} value={value} onSave={pick} />
    </div>
  );
}
