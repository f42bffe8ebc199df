import { Button, TextInput } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { latitude, longitude } from '../../contract/fields.ts';
import { Dialog } from '../parts/Dialog.tsx';
import styles from './LocationPicker.module.css';
import { SearchBox } from './SearchBox.tsx';
import type { LngLat } from './searchClient.ts';
import { hasWebGL } from './webgl.ts';

const PickerMap = lazy(async () => ({ default: (await import('./PickerMap.tsx')).PickerMap }));

// spec 3
export type PickedLocation = {
  readonly label: string;
  readonly lat: number;
  readonly lng: number;
  readonly source: 'search' | 'map';
};

const DEFAULT_CENTRE: LngLat = { lat: 24, lng: 67 }; // spec 9
const PLACES = 6;

type Draft = { lat: string; lng: string; label: string; source: PickedLocation['source'] };

const draftOf = (picked: PickedLocation | undefined): Draft => ({
  lat: String(picked?.lat ?? DEFAULT_CENTRE.lat),
  lng: String(picked?.lng ?? DEFAULT_CENTRE.lng),
  label: picked?.label ?? '',
  source: picked?.source ?? 'map',
});

const rounded = (degrees: number) => String(Number(degrees.toFixed(PLACES)));
const toNumber = (text: string) => (text.trim() === '' ? Number.NaN : Number(text));

/** What is wrong with a coordinate as it was typed, in the contract's words. */
function faultOf(schema: typeof latitude | typeof longitude, text: string): string | undefined {
  return schema.safeParse(toNumber(text)).error?.issues[0]?.message;
}

/** spec 2.11: find an address, or put a pin on the map, or type the coordinates; Save hands the point over. */
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
  const [draft, setDraft] = useState(() => draftOf(value));
  const [flyTo, setFlyTo] = useState<LngLat>();
  const [errors, setErrors] = useState<{ lat?: string | undefined; lng?: string | undefined }>({});
  const typed: LngLat = { lat: toNumber(draft.lat), lng: toNumber(draft.lng) };
  const isTypedValid = !faultOf(latitude, draft.lat) && !faultOf(longitude, draft.lng);
  const point = isTypedValid ? typed : DEFAULT_CENTRE;

  const put = (at: LngLat, label: string, source: Draft['source']) => {
    setDraft({ lat: rounded(at.lat), lng: rounded(at.lng), label, source });
    setErrors({});
  };
  const type = (name: 'lat' | 'lng') => (event: { currentTarget: { value: string } }) => {
    setDraft({ ...draft, [name]: event.currentTarget.value, label: '', source: 'map' });
    setErrors({ ...errors, [name]: undefined });
  };
  const save = () => {
    const found = { lat: faultOf(latitude, draft.lat), lng: faultOf(longitude, draft.lng) };
    setErrors(found);
    if (!found.lat && !found.lng) onSave({ ...typed, label: draft.label, source: draft.source });
  };
  // A typed point may be far outside of what the map shows.
  const showTyped = () => isTypedValid && setFlyTo(typed);
  return (
    <div className={styles.body}>
      <SearchBox
        near={point}
        onPick={({ geometry: { coordinates }, properties }) => {
          const at = { lng: coordinates[0], lat: coordinates[1] };
          put(at, properties.full_address ?? properties.name, 'search');
          setFlyTo(at);
        }}
      />
      <div className={styles.map}>
        <MapOrWords point={point} flyTo={flyTo} onMove={(at) => put(at, '', 'map')} />
      </div>
      <div className={styles.foot}>
        <TextInput
          label="Latitude"
          inputMode="decimal"
          value={draft.lat}
          error={errors.lat}
          onChange={type('lat')}
          onBlur={showTyped}
        />
        <TextInput
          label="Longitude"
          inputMode="decimal"
          value={draft.lng}
          error={errors.lng}
          onChange={type('lng')}
          onBlur={showTyped}
        />
        <Button className={styles.save ?? ''} onClick={save}>
          Save
        </Button>
      </div>
    </div>
  );
}

function MapOrWords(props: { point: LngLat; flyTo: LngLat | undefined; onMove: (point: LngLat) => void }) {
  if (!hasWebGL())
    return (
      <p className={styles.nomap}>This browser cannot draw the map. Search for the address, or type its coordinates.</p>
    );
  return (
    <Suspense fallback={<p className={styles.nomap}>Loading the map…</p>}>
      <PickerMap {...props} />
    </Suspense>
  );
}
