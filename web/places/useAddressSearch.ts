import { useEffect, useRef, useState } from 'react';
import { fetchConfig } from '../api/config.ts';
import { type AddressSearch, createAddressSearch } from './addressSearch.ts';
import { createSearchClient, type LngLat, type Place, type Suggestion } from './searchClient.ts';

const DEBOUNCE_MS = 500; // spec 9

async function createConfiguredSearch(proximity: LngLat): Promise<AddressSearch> {
  const { mapbox } = await fetchConfig();
  return createAddressSearch(createSearchClient(mapbox), () => crypto.randomUUID(), { proximity });
}

/** Suggestions for what is typed, half a second after the last key. Failures are only logged (spec 8). */
export function useAddressSearch(proximity: LngLat) {
  const [text, setText] = useState('');
  const [suggestions, setSuggestions] = useState<readonly Suggestion[]>([]);
  const search = useRef<Promise<AddressSearch>>(undefined);
  /** The text that needs no search: it was chosen, or its list was closed. */
  const settled = useRef<string>(undefined);
  const open = () => {
    search.current ??= createConfiguredSearch(proximity);
    return search.current;
  };

  useEffect(() => {
    const isSettled = () => settled.current === text;
    if (isSettled()) return;
    settled.current = undefined;
    let isOld = false;
    if (text.trim() === '') setSuggestions([]);
    const timer = setTimeout(async () => {
      if (isSettled()) return;
      try {
        const found = await (await open()).suggest(text);
        if (found && !isOld && !isSettled()) setSuggestions(found);
      } catch (error) {
        search.current = search.current?.catch(() => createConfiguredSearch(proximity));
        console.warn('The address search failed', error);
      }
    }, DEBOUNCE_MS);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [text]);

  useEffect(() => () => void search.current?.then((one) => one.cancel()), []);

  const close = (current = text) => {
    settled.current = current;
    setSuggestions([]);
  };
  const choose = async (suggestion: Suggestion): Promise<Place | undefined> => {
    const label = suggestion.full_address ?? suggestion.name;
    close(label);
    setText(label);
    try {
      return await (await open()).retrieve(suggestion);
    } catch (error) {
      console.warn('The address search failed', error);
      return undefined;
    }
  };
  return { text, setText, suggestions, close: () => close(), choose };
}
