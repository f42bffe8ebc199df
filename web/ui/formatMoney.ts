// Making a format takes longer than using it a hundred times.
const DOLLARS = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** Dollars with two decimals: $1,234.50. In its own file because the landing page must not load dayjs. */
export const formatMoney = (dollars: number): string => DOLLARS.format(dollars);
