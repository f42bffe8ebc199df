/** Dollars with two decimals: $1,234.50. In its own file because the landing page must not load dayjs. */
export function formatMoney(dollars: number): string {
  return dollars.toLocaleString('en-US', { style: 'currency', currency: 'USD' });
}
