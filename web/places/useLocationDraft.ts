import { useRef, useState } from 'react';
import { latitude, longitude } from '../../contract/fields.ts';
import { isVague } from '../../domain/positions.ts';
import { formatKm } from '../ui/format.ts';
import { toast } from '../ui/toast.tsx';
import { readNumber } from '../ui/typedNumber.ts';
import { addressOf, describePoint } from './describePoint.ts';
import { readLocation } from './geolocation.ts';
import type { LngLat, Place } from './searchClient.ts';

// spec 3
export type PickedLocation = {
  readonly label: string;
  readonly lat: number;
  readonly lng: number;
  readonly source: 'search' | 'map';
};

const DEFAULT_CENTRE: LngLat = { lat: 24, lng: 67 }; // spec 9
const DECIMAL_PLACES = 6;
const LOCATION_TIMEOUT_MS = 10_000;

type LocationDraft = { lat: string; lng: string; label: string; source: PickedLocation['source'] };

const toDraft = (picked: PickedLocation | undefined): LocationDraft => ({
  lat: String(picked?.lat ?? DEFAULT_CENTRE.lat),
  lng: String(picked?.lng ?? DEFAULT_CENTRE.lng),
  label: picked?.label ?? '',
  source: picked?.source ?? 'map',
});

const formatDegrees = (degrees: number) => String(Number(degrees.toFixed(DECIMAL_PLACES)));
const parseDegrees = (text: string) => readNumber(text, 'degrees') ?? Number.NaN;

/** The contract's error message for a typed coordinate. */
function coordinateError(schema: typeof latitude | typeof longitude, text: string): string | undefined {
  return schema.safeParse(parseDegrees(text)).error?.issues[0]?.message;
}

/** Runs one fetch at a time: a newer choice drops the one before, and its answer. */
function useNewestFetch() {
  const newest = useRef<object>(undefined);
  const [isFetching, setFetching] = useState(false);
  const drop = () => {
    newest.current = undefined;
    setFetching(false);
  };
  const fetchNewest = async <T>(answer: Promise<T>, use: (answer: T) => void) => {
    newest.current = answer;
    setFetching(true);
    const arrived = await answer;
    if (newest.current !== answer) return;
    drop();
    use(arrived);
  };
  return { isFetching, fetchNewest, drop };
}

/** The point being chosen: by search, on the map, by the device's own location, or typed. */
export function useLocationDraft(value: PickedLocation | undefined, onSave: (picked: PickedLocation) => void) {
  const [draft, setDraft] = useState(() => toDraft(value));
  const [flyTo, setFlyTo] = useState<LngLat>();
  const [errors, setErrors] = useState<{ lat?: string | undefined; lng?: string | undefined }>({});
  const { isFetching, fetchNewest, drop } = useNewestFetch();
  const typed: LngLat = { lat: parseDegrees(draft.lat), lng: parseDegrees(draft.lng) };
  const faults = { lat: coordinateError(latitude, draft.lat), lng: coordinateError(longitude, draft.lng) };
  const isValid = !faults.lat && !faults.lng;

  const put = (at: LngLat, label: string, source: LocationDraft['source']) => {
    setDraft({ lat: formatDegrees(at.lat), lng: formatDegrees(at.lng), label, source });
    setErrors({});
  };
  /** Puts the pin at a point, and fetches its address. */
  const place = (at: LngLat) => {
    put(at, '', 'map');
    void fetchNewest(describePoint(at), (label) => put(at, label, 'map'));
  };
  const pick = (picked: Promise<Place | undefined>) =>
    fetchNewest(picked, (found) => {
      if (!found) return;
      const at = { lng: found.geometry.coordinates[0], lat: found.geometry.coordinates[1] };
      put(at, addressOf(found), 'search');
      setFlyTo(at);
    });
  const locate = () =>
    fetchNewest(readLocation(0, LOCATION_TIMEOUT_MS), (found) => {
      if (typeof found === 'string')
        return toast.info('Location Not Found', { description: 'Your browser does not tell where you are.' });
      const at = { lng: found.longitude, lat: found.latitude };
      setFlyTo(at);
      if (!isVague(found)) return place(at);
      toast.info('Place The Pin Yourself', {
        description: `Your browser knows where you are only to within ${formatKm(found.accuracy)}.`,
      });
    });
  const type = (name: 'lat' | 'lng') => (event: { currentTarget: { value: string } }) => {
    drop();
    setDraft({ ...draft, [name]: event.currentTarget.value, label: '', source: 'map' });
    setErrors({ ...errors, [name]: undefined });
  };
  const save = () => {
    setErrors(faults);
    if (isValid) onSave({ ...typed, label: draft.label, source: draft.source });
  };
  // A typed point may be far outside the visible map.
  const showTyped = () => isValid && setFlyTo(typed);
  const point = isValid ? typed : DEFAULT_CENTRE;
  return { draft, point, flyTo, errors, isFetching, place, pick, locate, type, save, showTyped };
}
