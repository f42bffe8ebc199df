import { Button, TextInput } from '@mantine/core';
import { lazy, Suspense, useRef, useState } from 'react';
import { latitude, longitude } from '../../contract/fields.ts';
import { Dialog } from '../ui/Dialog.tsx';
import styles from './LocationPicker.module.css';
import { SearchBox } from './SearchBox.tsx';
import type { LngLat, Place } from './searchClient.ts';
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
const DECIMAL_PLACES = 6;

type LocationDraft = { lat: string; lng: string; label: string; source: PickedLocation['source'] };

const toDraft = (picked: PickedLocation | undefined): LocationDraft => ({
  lat: String(picked?.lat ?? DEFAULT_CENTRE.lat),
  lng: String(picked?.lng ?? DEFAULT_CENTRE.lng),
  label: picked?.label ?? '',
  source: picked?.source ?? 'map',
});

const formatDegrees = (degrees: number) => String(Number(degrees.toFixed(DECIMAL_PLACES)));
const parseDegrees = (text: string) => (text.trim() === '' ? Number.NaN : Number(text));

/** The contract's error message for a typed coordinate. */
function coordinateError(schema: typeof latitude | typeof longitude, text: string): string | undefined {
  return schema.safeParse(parseDegrees(text)).error?.issues[0]?.message;
}

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

/** The point being chosen: by search, on the map, or typed. */
function useLocationDraft(value: PickedLocation | undefined, onSave: (picked: PickedLocation) => void) {
  const [draft, setDraft] = useState(() => toDraft(value));
  const [flyTo, setFlyTo] = useState<LngLat>();
  const [errors, setErrors] = useState<{ lat?: string | undefined; lng?: string | undefined }>({});
  const typed: LngLat = { lat: parseDegrees(draft.lat), lng: parseDegrees(draft.lng) };
  const faults = { lat: coordinateError(latitude, draft.lat), lng: coordinateError(longitude, draft.lng) };
  const isValid = !faults.lat && !faults.lng;
  // The place that was picked and is being fetched. A newer choice drops it.
  const fetching = useRef<Promise<Place | undefined>>(undefined);
  const [isFetching, setFetching] = useState(false);
  const startFetching = (place: Promise<Place | undefined> | undefined) => {
    fetching.current = place;
    setFetching(place !== undefined);
  };

  const put = (at: LngLat, label: string, source: LocationDraft['source']) => {
    startFetching(undefined);
    setDraft({ lat: formatDegrees(at.lat), lng: formatDegrees(at.lng), label, source });
    setErrors({});
  };
  const pick = async (picked: Promise<Place | undefined>) => {
    startFetching(picked);
    const place = await picked;
    if (fetching.current !== picked) return;
    startFetching(undefined);
    if (!place) return;
    const at = { lng: place.geometry.coordinates[0], lat: place.geometry.coordinates[1] };
    put(at, place.properties.full_address ?? place.properties.name, 'search');
    setFlyTo(at);
  };
  const type = (name: 'lat' | 'lng') => (event: { currentTarget: { value: string } }) => {
    startFetching(undefined);
    setDraft({ ...draft, [name]: event.currentTarget.value, label: '', source: 'map' });
    setErrors({ ...errors, [name]: undefined });
  };
  const save = () => {
    setErrors(faults);
    if (isValid) onSave({ ...typed, label: draft.label, source: draft.source });
  };
  // A typed point may be far outside the visible map.
  const showTyped = () => isValid && setFlyTo(typed);
  return {
    draft,
    point: isValid ? typed : DEFAULT_CENTRE,
    flyTo,
    errors,
    isFetching,
    put,
    pick,
    type,
    save,
    showTyped,
  };
}

function PickerBody({ value, onSave }: { value: PickedLocation | undefined; onSave: (one: PickedLocation) => void }) {
  const { draft, point, flyTo, errors, isFetching, put, pick, type, save, showTyped } = useLocationDraft(value, onSave);
  const coordinate = (name: 'lat' | 'lng') => ({
    inputMode: 'decimal' as const,
    value: draft[name],
    error: errors[name],
    onChange: type(name),
    onBlur: showTyped,
  });
  return (
    <div className={styles.body}>
      <SearchBox near={point} onPick={pick} />
      <div className={styles.map}>
        <MapOrFallback point={point} flyTo={flyTo} onMove={(at) => put(at, '', 'map')} />
      </div>
      <div className={styles.foot}>
        <TextInput label="Latitude" {...coordinate('lat')} />
        <TextInput label="Longitude" {...coordinate('lng')} />
        <Button className={styles.save ?? ''} onClick={save} loading={isFetching}>
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
  return (
    <Suspense fallback={<p className={styles.nomap}>Loading the map…</p>}>
      <PickerMap {...props} />
    </Suspense>
  );
}
