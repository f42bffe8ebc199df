const groupThousands = (digits: string): string =>
  digits.length > 3 ? `${groupThousands(digits.slice(0, -3))},${digits.slice(-3)}` : digits;

/**
 * Dollars with two decimals: $1,234.50. Without Intl, whose first format takes a slow phone a tenth of a second before a
 * dashboard can show. In its own file because the landing page needs none of the other formats.
 */
export function formatMoney(dollars: number): string {
  if (!Number.isFinite(dollars)) return '$–';
  // Moves the decimal point in the text: 1.005 * 100 is less than 100.5, and would lose its cent.
  const [digits, exponent = 0] = String(Math.abs(dollars)).split('e');
  const rounded = Math.round(Number(`${digits}e${Number(exponent) + 2}`)) / 100;
  const [whole = '', cents] = rounded.toFixed(2).split('.');
  return `${dollars < 0 ? '-' : ''}$${groupThousands(whole)}.${cents}`;
}
