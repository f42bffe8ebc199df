// The prices, for the folders that show and set them.
export { listPrices, readPrices, setPrice, tariffOf } from './prices.sql.ts';
