import { LARGER_SIZES, type LargerSize, SIZE_POUNDS } from './orders.ts';

/** The sections of the set-up of a town, in their order. What a town does without at first is the last one. */
export const SET_UP_SECTIONS = [
  'town',
  'rules',
  'prices',
  'hours',
  'workers',
  'connections',
  'operators',
  'windows',
] as const;
export type SetUpSection = (typeof SET_UP_SECTIONS)[number];

/** How far the set-up is. `isDone` once an operator has opened the town. */
export type SetUp = { readonly answered: readonly SetUpSection[]; readonly isDone: boolean };

/** The third parties that the town can be connected with. */
export const CONNECTIONS = ['card', 'mail', 'search', 'map', 'routing', 'files'] as const;
export type Connection = (typeof CONNECTIONS)[number];

/** The environment variables of each connection. The first one switches from the stand-in to the real service. */
export const CONNECTION_VARIABLES = {
  card: ['SQUARE_ACCESS_TOKEN', 'SQUARE_APPLICATION_ID', 'SQUARE_LOCATION_ID', 'SQUARE_WEBHOOK_KEY'],
  mail: ['SMTP_URL', 'MAIL_FROM', 'SUPPORT_EMAIL'],
  search: ['MAPBOX_TOKEN'],
  map: ['MAP_STYLE_URL'],
  routing: ['ROUTING_URL'],
  files: ['S3_URL', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
} as const satisfies Readonly<Record<Connection, readonly string[]>>;

/** How a connection is made: with the real service, with its stand-in, or not at all. */
export const CONNECTION_USES = ['real', 'stand-in', 'none'] as const;
export type ConnectionUse = (typeof CONNECTION_USES)[number];

/** The pounds that are proposed for each larger size: like the other sizes, the most that is in it. */
export const PROPOSED_POUNDS = Object.fromEntries(LARGER_SIZES.map((size) => [size, SIZE_POUNDS[size].to])) as Readonly<
  Record<LargerSize, number>
>;
