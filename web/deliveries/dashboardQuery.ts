import type { Answer } from '../../contract/call.ts';
import type { duberDashboard } from '../../contract/dashboards.ts';
import { NEARBY_RADIUS_M, type Point } from '../../domain/places.ts';
import { readSession } from '../accounts/session.ts';
import { api } from '../api.ts';
import { findPhone, isAllowed } from './position/geolocation.ts';

/** A Duber's dashboard, and around what the pending deliveries were searched. */
export type DuberDashboard = Answer<typeof duberDashboard> & { readonly around: 'phone' | 'address' };

export const DUBER_DASHBOARD = ['dashboards', 'duber'] as const;

// Somebody who looks for work drives about, but not this far in a minute.
const PLACE_AGE_MS = 60_000;
const PLACE_WITHIN_MS = 3_000;

/** The dashboard as everybody who shows a part of it asks for it: around the phone where that is allowed already. */
export async function askDashboard(signal?: AbortSignal): Promise<DuberDashboard> {
  const options = signal ? { signal } : {};
  const finding = findPlace();
  const dashboard = await api.duberDashboard(undefined, options);
  const place = dashboard.activeDelivery ? undefined : await finding;
  const found = place && (await search(place, options).catch(() => undefined));
  return found ? { ...dashboard, ...found } : { ...dashboard, around: 'address' };
}

type Found = Pick<DuberDashboard, 'pendingDeliveries' | 'around'>;

/** Only the pending deliveries, searched anew; undefined for a Duber without an address. */
export async function searchAnew(): Promise<Found | undefined> {
  return search(await findPlace());
}

async function findPlace(): Promise<Point | undefined> {
  if (!(await isAllowed())) return undefined;
  const place = await findPhone(PLACE_AGE_MS, PLACE_WITHIN_MS);
  return typeof place === 'string' ? undefined : place;
}

async function search(place: Point | undefined, options: { signal?: AbortSignal } = {}): Promise<Found | undefined> {
  const addressId = readSession().user?.addresses[0]?.id;
  if (addressId === undefined) return undefined;
  const around = place ? { latitude: String(place.latitude), longitude: String(place.longitude) } : {};
  const query = { addressId, maxDistanceMeters: String(NEARBY_RADIUS_M), ...around };
  const pendingDeliveries = await api.findDeliveriesNearby({ query }, options);
  return { pendingDeliveries, around: place ? 'phone' : 'address' };
}
