const groupThousands = (digits: string): string =>
  digits.length > 3 ? `${groupThousands(digits.slice(0, -3))},${digits.slice(-3)}` : digits;

/**
 * Dollars with two decimals: $1,234.50. Without Intl, whose first format takes a slow phone a tenth of a second before a
 * dashboard can show. In its own file because the landing page needs none of the other formats.
 */
export function formatMoney(dollars: number): string {
  const [whole = '', cents] = Math.abs(dollars).toFixed(2).split('.');
  return `${dollars < 0 ? '-' : ''}$${groupThousands(whole)}.${cents}`;
}
