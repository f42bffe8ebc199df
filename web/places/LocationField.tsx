import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '../ui/icons.tsx';
import styles from './LocationPicker.module.css';
import { LocationPicker } from './LocationPicker.tsx';
import { locationText } from './locationText.ts';
import type { PickedLocation } from './useLocationDraft.ts';

/** The chosen point, read-only, with a button that opens the picker. */
export function LocationField({
  value,
  onChange,
  error,
}: {
  value: PickedLocation | undefined;
  onChange: (picked: PickedLocation) => void;
  error?: string | undefined;
}) {
  const [isOpen, setOpen] = useState(false);
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
      <LocationPicker opened={isOpen} onClose={() => setOpen(false)} value={value} onSave={onChange} />
    </div>
  );
}
