/** GeoJSON's order: longitude, then latitude, in degrees, six decimals. */
export type Position = [number, number];

export type StreetKind = 'avenue' | 'street' | 'road';

export type District = { id: number; name: string; postcode: string; centre: Position };
export type Street = { id: number; name: string; kind: StreetKind; line: Position[]; district: number };
export type House = {
  id: number;
  number: number;
  street: number;
  district: number;
  position: Position;
};
export type ParkKind = 'park' | 'square' | 'wood';
export type Park = { id: number; name: string; kind: ParkKind; outline: Position[]; centre: Position };
export type Water = { name: string; kind: 'bay' | 'river'; outline: Position[]; middle: Position[] };
export type Railway = { name: string; line: Position[] };
type PointOfInterest = {
  id: number;
  name: string;
  category: string;
  position: Position;
  district: number;
  // Absent when the place has no house on a street, such as a park.
  house?: number;
};

export type City = {
  seed: number;
  name: string;
  region: { name: string; code: string };
  // A code that ISO 3166 reserves for private use, so that it matches no real country.
  country: { name: string; code: string; code3: string };
  centre: Position;
  // West, south, east and north bounds of everything with an address.
  bounds: [number, number, number, number];
  // The built-up area, drawn below everything else.
  ground: Position[];
  districts: District[];
  streets: Street[];
  blocks: Position[][];
  parks: Park[];
  water: Water[];
  railways: Railway[];
  houses: House[];
  /** Longitude and latitude of the four corners of each house, one after the other: as arrays they take 13 MB. */
  footprints: Float64Array;
  pointsOfInterest: PointOfInterest[];
};
