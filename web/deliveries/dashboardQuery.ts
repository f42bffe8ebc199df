import type { QueryClient } from '@tanstack/react-query';
import type { WithFields } from '../../contract/answerFields.ts';
import type { Answer } from '../../contract/call.ts';
import type { duberDashboard } from '../../contract/dashboards.ts';
import type { DeliveryStep } from '../../contract/deliveries.ts';
import { DUBER_DASHBOARD_FIELDS, FIRST_OFFERS, NEARBY_DELIVERY_FIELDS } from '../../contract/screenFields.ts';
import {
  DUBER_SEARCH_RADIUS_M,
  distanceInMeters,
  NEARBY_LIMIT,
  NEARBY_RADIUS_M,
  type Point,
} from '../../domain/places.ts';
import { api } from '../api/client.ts';
import { readSession } from '../api/currentSession.ts';
import { queryClient } from '../api/queryClient.ts';
import { currentTime } from '../clock.ts';
import { isGeolocationAllowed, readExactLocation } from '../places/geolocation.ts';
import { readPhonePosition, savePhonePosition } from '../places/phonePosition.ts';
import { isForLater } from './windows.ts';

/** The centre of a Duber's search; 'away' is the address, because the phone is more than DUBER_SEARCH_RADIUS_M away from it. */
type SearchCenter = 'phone' | 'address' | 'away';

/** A Duber's dashboard, and the centre of its search for pending deliveries. */
export type DuberDashboardData = WithFields<Answer<typeof duberDashboard>, (typeof DUBER_DASHBOARD_FIELDS)[number]> & {
  readonly around: SearchCenter;
  /** Whether the Duber has asked for all pending deliveries, and not only for the first ones. */
  readonly hasAll: boolean;
};

export type Offer = DuberDashboardData['pendingDeliveries'][number];

/** It includes the fields, so that a later version of the app does not take what this one has stored for its own. */
export const DUBER_DASHBOARD_KEY = ['dashboards', 'duber', DUBER_DASHBOARD_FIELDS] as const;

// A Duber who looks for work drives around, but not far in a minute.
const LOCATION_MAX_AGE_MS = 60_000;
const LOCATION_TIMEOUT_MS = 3_000;

/** The dashboard query that all its viewers share: around the phone where that is already allowed. */
export async function fetchDashboard(signal?: AbortSignal): Promise<DuberDashboardData> {
  const options = signal ? { signal } : {};
  const finding = readLocationIfAllowed();
  const hasAll = hasAskedForAll();
  const query = { pendingLimit: limitOf(hasAll), fields: DUBER_DASHBOARD_FIELDS };
  const dashboard = await api.duberDashboard({ query }, options);
  const place = dashboard.activeDelivery ? undefined : await finding;
  const found = place && (await searchAround(place, { hasAll, ...options }).catch(() => undefined));
  // The Duber may have asked for all of them in the meantime.
  if (hasAskedForAll() !== hasAll) return fetchDashboard(signal);
  return found ? { ...dashboard, ...found } : { ...dashboard, around: 'address', hasAll };
}

const hasAskedForAll = () => queryClient.getQueryData<DuberDashboardData>(DUBER_DASHBOARD_KEY)?.hasAll ?? false;

const limitOf = (hasAll: boolean) => String(hasAll ? NEARBY_LIMIT : FIRST_OFFERS);

type NearbySearchResult = Pick<DuberDashboardData, 'pendingDeliveries' | 'around' | 'hasAll'>;

/** Only the pending deliveries, searched again; undefined for a Duber without an address. */
export async function searchNearby(hasAll: boolean): Promise<NearbySearchResult | undefined> {
  return searchAround(await readLocationIfAllowed(), { hasAll });
}

async function readLocationIfAllowed(): Promise<Point | undefined> {
  if (!(await isGeolocationAllowed())) return undefined;
  const place = await readExactLocation(LOCATION_MAX_AGE_MS, LOCATION_TIMEOUT_MS);
  return typeof place === 'string' ? undefined : place;
}

/** The centre of the last search, as far as it is known on this page. */
export function readSearchCenter(around: SearchCenter | undefined): Point | undefined {
  return around === 'phone' ? readPhonePosition() : readSession().user?.addresses[0];
}

/** Shows a pending delivery as the active one, or among those ahead, as soon as its Duber has accepted it. */
export function showAsAccepted(
  cache: QueryClient,
  { deliveryId, status }: Pick<DeliveryStep, 'deliveryId' | 'status'>,
) {
  cache.setQueryData<DuberDashboardData>(DUBER_DASHBOARD_KEY, (shown) => {
    const offer = shown?.pendingDeliveries.find(({ delivery }) => delivery.id === deliveryId);
    if (!shown || !offer) return shown;
    const accepted = { ...offer.delivery, status };
    if (!isForLater(accepted, currentTime())) return { ...shown, activeDelivery: accepted };
    const others = (shown.aheadDeliveries ?? []).filter(({ id }) => id !== deliveryId);
    return {
      ...shown,
      pendingDeliveries: shown.pendingDeliveries.filter((one) => one !== offer),
      aheadDeliveries: [...others, accepted].toSorted((a, b) => startOf(a) - startOf(b)),
    };
  });
}

const startOf = ({ window }: Pick<Offer['delivery'], 'window'>) => (window ? Date.parse(window.from) : 0);

async function searchAround(
  place: Point | undefined,
  { hasAll, ...options }: { hasAll: boolean; signal?: AbortSignal },
): Promise<NearbySearchResult | undefined> {
  const address = readSession().user?.addresses[0];
  if (address === undefined) return undefined;
  const isAway = place !== undefined && distanceInMeters(address, place) > DUBER_SEARCH_RADIUS_M;
  const around = place && !isAway ? { latitude: String(place.latitude), longitude: String(place.longitude) } : {};
  const query = {
    addressId: address.id,
    maxDistanceMeters: String(NEARBY_RADIUS_M),
    ...around,
    limit: limitOf(hasAll),
    fields: NEARBY_DELIVERY_FIELDS,
  };
  const pendingDeliveries = await api.findDeliveriesNearby({ query }, options);
  savePhonePosition(place);
  return { pendingDeliveries, around: isAway ? 'away' : place ? 'phone' : 'address', hasAll };
}

/** The offers that a Duber can accept now: with a delivery under way only those for later. */
export const offersToAccept = (
  { activeDelivery, pendingDeliveries }: Pick<DuberDashboardData, 'activeDelivery' | 'pendingDeliveries'>,
  now: Date,
): readonly Offer[] =>
  activeDelivery ? pendingDeliveries.filter(({ delivery }) => isForLater(delivery, now)) : pendingDeliveries;

/** What a Duber has accepted and not finished. */
export const ownDeliveriesOf = ({ activeDelivery, aheadDeliveries = [] }: OwnDeliveries) =>
  activeDelivery ? [activeDelivery, ...aheadDeliveries] : aheadDeliveries;
type OwnDeliveries = Pick<DuberDashboardData, 'activeDelivery' | 'aheadDeliveries'>;
