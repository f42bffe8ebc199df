type IsoTime<T> = T extends Date ? string : T;

/** A row as calls answer it: with its times as ISO strings. */
export const isoTimes = <Row extends object>(row: Row) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  ) as { [Name in keyof Row]: IsoTime<Row[Name]> };
