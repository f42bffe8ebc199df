// GeoJSON's order: longitude, then latitude, in degrees, six decimals.
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
  footprint: Position[];
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
  // Absent where the sight has no door on a street, as a park has none.
  house?: number;
};

export type City = {
  seed: number;
  name: string;
  region: { name: string; code: string };
  // The code is one of those ISO 3166 leaves to its users: no real country is meant.
  country: { name: string; code: string; code3: string };
  centre: Position;
  // West, south, east, north of everything that has an address.
  bounds: [number, number, number, number];
  // The built-up ground, to be painted under everything else.
  ground: Position[];
  districts: District[];
  streets: Street[];
  blocks: Position[][];
  parks: Park[];
  water: Water[];
  railways: Railway[];
  houses: House[];
  pointsOfInterest: PointOfInterest[];
};
