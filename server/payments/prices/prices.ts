// The prices, for the folders that show and set them.
export {
  listPrices,
  type PricesWithZones,
  pricesWithZonesAt,
  readPrices,
  setPrice,
  tariffAt,
  tariffOf,
} from './prices.sql.ts';
export {
  forgetLaterOfZone,
  insertZone,
  listZones,
  readZone,
  setZoneArea,
  setZonePrices,
  type ZonePriceRow,
  type ZoneRecord,
} from './zones.sql.ts';
