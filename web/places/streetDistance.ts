import { v4 as newId } from 'uuid';
import { distanceInMeters } from '../../domain/places.ts';
import { fetchConfig } from '../api/config.ts';
import { ask } from '../ui/ask.ts';
import { formatKm } from '../ui/format.ts';
import { createSearchClient, type Place } from './searchClient.ts';
import type { PickedLocation } from './useLocationDraft.ts';

/** From this distance on a pin is at another house. */
const FAR_M = 150;
const TIMEOUT_MS = 5_000;

/** Words between single spaces, so that '140 Heron Street' does not contain '40 Heron Street'. */
const wordsOf = (text: string) =>
  ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

/** Whether a text names a house. A street alone is too long to say how far a pin is from it. */
const isNamedIn = (text: string, name: string) => /\d/.test(name) && wordsOf(text).includes(wordsOf(name));

/** The house that a text names, nearest to the pin; undefined if the search finds none. Failures are only logged (spec 8). */
async function findHouse(text: string, pin: PickedLocation): Promise<Place | undefined> {
  // Nobody waits longer for a question that helps them.
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const client = createSearchClient((await fetchConfig()).mapbox);
    const session = { id: newId() };
    const suggestions = await client.suggest(text, session, { proximity: { lat: pin.lat, lng: pin.lng }, signal });
    const house = suggestions.find(({ name }) => isNamedIn(text, name));
    return house && (await client.retrieve(house, session, { signal }))[0];
  } catch (error) {
    if (!signal.aborted) console.warn('The place of an address could not be found', error);
    return undefined;
  }
}

/** Whether a street and a pin may be saved together. Asks when they are further apart than a house is large. */
export async function confirmStreetOfPin(text: string, pin: PickedLocation): Promise<boolean> {
  // The street was found at the pin, or both are unchanged.
  if (text.trim() === '' || text.trim() === pin.label) return true;
  const house = await findHouse(text, pin);
  if (!house) return true;
  const [longitude, latitude] = house.geometry.coordinates;
  const meters = distanceInMeters({ latitude, longitude }, { latitude: pin.lat, longitude: pin.lng });
  if (meters <= FAR_M) return true;
  return ask({
    title: 'Save it there?',
    text: `Your pin is ${formatKm(meters)} away from ${house.properties.name}.`,
    button: 'Save Anyway',
  });
}
