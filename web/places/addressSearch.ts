import type { Place, SearchClient, SearchOptions, SessionToken, Suggestion } from './searchClient.ts';

/** One user's address search: keeps its session, and drops late answers of older searches. */
export type AddressSearch = {
  /** Suggestions for the text, none for blank text, undefined when a newer search has started. */
  readonly suggest: (text: string) => Promise<readonly Suggestion[] | undefined>;
  /** The place of a suggestion, which ends the search session. */
  readonly retrieve: (suggestion: Suggestion) => Promise<Place | undefined>;
  readonly cancel: () => void;
};

export function createAddressSearch(
  client: Pick<SearchClient, 'suggest' | 'retrieve'>,
  newId: () => string,
  options: Omit<SearchOptions, 'signal'> = {},
): AddressSearch {
  let session: SessionToken | undefined;
  let running: AbortController | undefined;

  const supersede = (): AbortController => {
    running?.abort();
    running = new AbortController();
    return running;
  };
  const end = () => {
    supersede();
    session = undefined;
  };

  return {
    cancel: end,
    async suggest(text) {
      const mine = supersede();
      if (text.trim() === '') return [];
      session ??= { id: newId() };
      try {
        const found = await client.suggest(text, session, { ...options, signal: mine.signal });
        return mine.signal.aborted ? undefined : found;
      } catch (error) {
        if (mine.signal.aborted) return undefined;
        throw error;
      }
    },
    async retrieve(suggestion) {
      supersede();
      const ending = session ?? { id: newId() };
      session = undefined;
      return (await client.retrieve(suggestion, ending, options))[0];
    },
  };
}
