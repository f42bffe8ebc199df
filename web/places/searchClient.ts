/** The Search Box API: https://docs.mapbox.com/api/search/search-box/ */
export type SearchOptions = {
  /** IETF tag; default 'en' (spec 9). */
  readonly language?: string;
  /** ISO 3166 alpha 2 codes. */
  readonly country?: readonly string[];
  readonly types?: readonly string[];
  readonly proximity?: LngLat | 'ip';
  readonly bbox?: readonly [west: number, south: number, east: number, north: number];
  readonly origin?: LngLat;
  readonly limit?: number;
  readonly signal?: AbortSignal;
};
export type LngLat = { readonly lng: number; readonly lat: number };
/** Groups the suggestions of one search and the retrieval that ends it. */
export type SessionToken = { readonly id: string };
export type Suggestion = {
  readonly mapbox_id: string;
  readonly name: string;
  readonly full_address?: string;
  readonly place_formatted?: string;
};
export type Place = {
  readonly geometry: { readonly coordinates: readonly [lng: number, lat: number] };
  readonly properties: { readonly name: string; readonly full_address?: string };
};

const DEFAULT_LIMIT = 5; // spec 9
const DEFAULT_LANGUAGE = 'en'; // spec 9

/** The search service returned an error. */
export class SearchFailed extends Error {
  readonly statusCode: number;
  constructor(statusCode: number, message: string | undefined) {
    super(`${statusCode}: ${message ?? 'Unknown error'}`);
    this.name = 'SearchFailed';
    this.statusCode = statusCode;
  }
}

const formatLngLat = ({ lng, lat }: LngLat) => `${lng},${lat}`;

/** The options under their API names, without undefined ones. */
function toQueryParams(options: SearchOptions): Record<string, string | undefined> {
  const { proximity } = options;
  return {
    language: options.language ?? DEFAULT_LANGUAGE,
    country: options.country?.join(','),
    types: options.types?.join(','),
    proximity: typeof proximity === 'object' ? formatLngLat(proximity) : proximity,
    bbox: options.bbox?.join(','),
    origin: options.origin && formatLngLat(options.origin),
  };
}

type SearchConfig = { readonly baseUrl: string; readonly token: string };
type Query = Readonly<Record<string, string | undefined>>;

async function fetchJson<T>(
  { baseUrl, token }: SearchConfig,
  path: string,
  query: Query,
  signal?: AbortSignal,
): Promise<T> {
  const search = new URLSearchParams({ access_token: token });
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, value);
  const address = `${baseUrl.replace(/\/$/, '')}/search/searchbox/v1/${path}?${search}`;
  const response = await fetch(address, signal ? { signal } : {});
  const body = (await response.json().catch(() => undefined)) as (T & { message?: string }) | undefined;
  if (!response.ok || body === undefined) throw new SearchFailed(response.status, body?.message);
  return body;
}

export type SearchClient = ReturnType<typeof createSearchClient>;

/** The address search client. Rejects with SearchFailed for the service's errors, and with Error for a missing argument. */
export function createSearchClient(service: SearchConfig) {
  const features = async (path: string, query: Query, signal?: AbortSignal) =>
    (await fetchJson<{ features: Place[] }>(service, path, query, signal)).features;

  return {
    async suggest(searchText: string, session: SessionToken, options: SearchOptions = {}): Promise<Suggestion[]> {
      const q = searchText.trim();
      if (!q) throw new Error('searchText is required'); // spec 8
      const query = {
        ...toQueryParams(options),
        q,
        session_token: session.id,
        limit: String(options.limit ?? DEFAULT_LIMIT),
      };
      return (await fetchJson<{ suggestions: Suggestion[] }>(service, 'suggest', query, options.signal)).suggestions;
    },
    async retrieve(suggestion: Suggestion, session: SessionToken, options: SearchOptions = {}): Promise<Place[]> {
      if (!suggestion?.mapbox_id) throw new Error('suggestion is required'); // spec 8
      const query = { session_token: session.id, language: options.language ?? DEFAULT_LANGUAGE };
      return features(`retrieve/${encodeURIComponent(suggestion.mapbox_id)}`, query, options.signal);
    },
    async category(category: string, options: SearchOptions = {}): Promise<Place[]> {
      if (!category) throw new Error('category is required'); // spec 8
      const query = { ...toQueryParams(options), limit: String(options.limit ?? DEFAULT_LIMIT) };
      return features(`category/${encodeURIComponent(category)}`, query, options.signal);
    },
    async reverse(lngLat: LngLat, options: SearchOptions = {}): Promise<Place[]> {
      if (!lngLat) throw new Error('lngLat is required'); // spec 8
      const { language, country, types } = toQueryParams(options);
      const at = { longitude: String(lngLat.lng), latitude: String(lngLat.lat) };
      return features(
        'reverse',
        { language, country, types, limit: String(options.limit ?? 1), ...at },
        options.signal,
      );
    },
  };
}
