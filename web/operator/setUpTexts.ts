import type { Preset } from '../../domain/policies.ts';
import type { Connection, ConnectionUse, SetUpSection } from '../../domain/setUp.ts';

export const SECTION_TITLES: Readonly<Record<SetUpSection, string>> = {
  town: 'The town',
  rules: 'Who it is for',
  prices: 'Prices, sizes and fees',
  hours: 'Hours and area',
  workers: 'Who may work',
  connections: 'Connections',
  operators: 'A second operator',
  windows: 'Windows (optional)',
};

/** For whom each preset is, and what it means for the rules of this section. */
export const PRESET_TEXTS: Readonly<Record<Preset, { readonly name: string; readonly more: string }>> = {
  open: {
    name: 'People who know each other',
    more: 'A street, a dorm, a club. Names and addresses are shown from the start, and laundry changes hands without proof.',
  },
  careful: {
    name: 'Strangers',
    more: 'Exact places and names are shown once work is accepted. Laundry changes hands with a PIN, bag codes or a photo. A silent Duber loses the delivery after 20 minutes.',
  },
};

type ConnectionTexts = {
  readonly name: string;
  /** The real service, after 'For'. */
  readonly real: string;
};

export const CONNECTION_TEXTS: Readonly<Record<Connection, ConnectionTexts>> = {
  card: { name: 'Card payments', real: 'Square' },
  mail: { name: 'Mail', real: 'your mail server' },
  search: { name: 'Address search', real: 'Mapbox' },
  map: { name: 'Map', real: 'your map style' },
  routing: { name: 'Routes along streets', real: 'your OSRM server' },
  files: { name: 'Photos', real: 'your S3 bucket' },
};

export const USE_TEXTS: Readonly<Record<ConnectionUse, string>> = {
  real: 'Connected',
  'stand-in': 'Stand-in',
  none: 'Not used',
};
