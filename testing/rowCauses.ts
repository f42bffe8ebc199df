/** Writes out the causes of a row in the order of `causes`, as the tests of the tables do: each with its values. */
export function describeCauses<Row extends object>(row: Row, causes: readonly (keyof Row & string)[]): string {
  const parts = causes.flatMap((cause) => {
    const value: unknown = row[cause];
    if (value === undefined) return [];
    if (value === true || typeof value === 'function') return cause;
    return `${cause} ${(typeof value === 'object' ? Object.values(value as object).flat() : [value]).join(' ')}`;
  });
  return parts.join(', ');
}
