import { fetchConfig } from '../api/config.ts';
import { createSearchClient, type LngLat, type Place } from './searchClient.ts';

const TIMEOUT_MS = 5_000;

export const addressOf = ({ properties }: Place): string => properties.full_address ?? properties.name;

/** The address at a point, or '' if there is none. Failures are only logged (spec 8). */
export async function describePoint(point: LngLat): Promise<string> {
  try {
    const { mapbox } = await fetchConfig();
    const [place] = await createSearchClient(mapbox).reverse(point, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return place ? addressOf(place) : '';
  } catch (error) {
    console.warn('The address of a point could not be found', error);
    return '';
  }
}
