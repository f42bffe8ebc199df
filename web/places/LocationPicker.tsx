import { Button } from '@mantine/core';
import { Dialog } from '../ui/Dialog.tsx';
import { Icon } from '../ui/icons.tsx';
import { lazyPart } from '../ui/lazyPart.tsx';
import { NumberField } from '../ui/NumberField.tsx';
import styles from './LocationPicker.module.css';
import { SearchBox } from './SearchBox.tsx';
import type { LngLat } from './searchClient.ts';
import { type PickedLocation, useLocationDraft } from './useLocationDraft.ts';
import { hasWebGL } from './webgl.ts';

const PickerMap = lazyPart('The map', async () => (await import('./PickerMap.tsx')).PickerMap, {
  fallback: <p className={styles.nomap}>Loading the map…</p>,
});

/** spec 2.11: find an address, place a pin on the map, or type the coordinates; Save returns the point. */
export function LocationPicker({
  opened,
  onClose,
  value,
  onSave,
}: {
  opened: boolean;
  onClose: () => void;
  value: PickedLocation | undefined;
  onSave: (picked: PickedLocation) => void;
}) {
  const save = (picked: PickedLocation) => {
    onSave(picked);
    onClose();
  };
  return (
    <Dialog opened={opened} onClose={onClose} title="Select Location" size="full">
      <PickerBody value={value} onSave={save} />
    </Dialog>
  );
}

function PickerBody({ value, onSave }: { value: PickedLocation | undefined; onSave: (one: PickedLocation) => void }) {
  const { draft, point, flyTo, errors, isFetching, ...actions } = useLocationDraft(value, onSave);
  const coordinate = (name: 'lat' | 'lng') => ({
    kind: 'degrees' as const,
    value: draft[name],
    error: errors[name],
    onChange: actions.type(name),
    onBlur: actions.showTyped,
  });
  return (
    <div className={styles.body}>
      <div className={styles.find}>
        <SearchBox near={point} onPick={actions.pick} />
        <Button variant="default" leftSection={<Icon name="pin" size={18} />} onClick={() => void actions.locate()}>
          Use my location
        </Button>
      </div>
      <div className={styles.map}>
        <MapOrFallback point={point} flyTo={flyTo} onMove={actions.place} />
      </div>
      <p className={styles.address} aria-live="polite">
        {draft.label}
      </p>
      <div className={styles.foot}>
        <NumberField label="Latitude" {...coordinate('lat')} />
        <NumberField label="Longitude" {...coordinate('lng')} />
        <Button className={styles.save ?? ''} onClick={actions.save} loading={isFetching}>
          Save
        </Button>
      </div>
    </div>
  );
}

function MapOrFallback(props: { point: LngLat; flyTo: LngLat | undefined; onMove: (point: LngLat) => void }) {
  if (!hasWebGL())
    return (
      <p className={styles.nomap}>This browser cannot show the map. Search for the address, or type its coordinates.</p>
    );
  return <PickerMap {...props} />;
}
