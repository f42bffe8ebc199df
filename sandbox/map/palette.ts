export type Theme = 'light' | 'dark';

/** Text colours keep a contrast of at least 4.5:1 with their background. */
export type Palette = {
  country: string;
  ground: string;
  water: string;
  park: string;
  square: string;
  wood: string;
  building: string;
  buildingLine: string;
  street: string;
  streetLine: string;
  avenue: string;
  avenueLine: string;
  rail: string;
  railGap: string;
  ink: string;
  quiet: string;
  halo: string;
  waterInk: string;
  parkInk: string;
  brand: string;
  station: string;
};

export const PALETTES: Record<Theme, Palette> = {
  light: {
    country: '#e9f1ec',
    ground: '#eef2f4',
    water: '#b5ddea',
    park: '#cbe7d2',
    square: '#dcefe0',
    wood: '#bcdcc6',
    building: '#dfe6ea',
    buildingLine: '#cdd8de',
    street: '#ffffff',
    streetLine: '#d3dee4',
    avenue: '#fff4d0',
    avenueLine: '#e6d198',
    rail: '#9fb0ba',
    railGap: '#ffffff',
    ink: '#10222b',
    quiet: '#4a5b65',
    halo: '#ffffff',
    waterInk: '#0a5a72',
    parkInk: '#1f5b39',
    brand: '#0b6e8b',
    station: '#4a5b65',
  },
  dark: {
    country: '#101f22',
    ground: '#142430',
    water: '#0b3547',
    park: '#16382f',
    square: '#1b3b35',
    wood: '#12302a',
    building: '#1d323f',
    buildingLine: '#2a4251',
    street: '#2c4553',
    streetLine: '#0f1c25',
    avenue: '#41606f',
    avenueLine: '#101b22',
    rail: '#55707f',
    railGap: '#142430',
    ink: '#e6eff3',
    quiet: '#b3c5ce',
    halo: '#0e1a20',
    waterInk: '#82cbe0',
    parkInk: '#9bd3b0',
    brand: '#72c3da',
    station: '#b3c5ce',
  },
};
