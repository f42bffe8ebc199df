import type { Point } from './geometry.ts';

export type GridIndex<T> = {
  add: (p: Point, item: T) => void;
  addBox: (a: Point, b: Point, item: T) => void;
  // Calls back with every item within `metres` of the point, and some a little farther, until the callback returns true.
  // An item that spans cells may be visited twice.
  someNear: (p: Point, metres: number, test: (item: T) => boolean) => boolean;
};

export function createGridIndex<T>(cell: number): GridIndex<T> {
  const cells = new Map<number, T[]>();
  const put = (column: number, row: number, item: T) => {
    const key = column * 65536 + row;
    const found = cells.get(key);
    if (found) found.push(item);
    else cells.set(key, [item]);
  };
  const at = (metres: number) => Math.floor(metres / cell) + 32768;
  return {
    add: (p, item) => put(at(p.x), at(p.y), item),
    addBox: (a, b, item) => {
      for (let column = at(Math.min(a.x, b.x)); column <= at(Math.max(a.x, b.x)); column += 1) {
        for (let row = at(Math.min(a.y, b.y)); row <= at(Math.max(a.y, b.y)); row += 1) put(column, row, item);
      }
    },
    someNear: (p, metres, test) => {
      for (let column = at(p.x - metres); column <= at(p.x + metres); column += 1) {
        for (let row = at(p.y - metres); row <= at(p.y + metres); row += 1) {
          if (cells.get(column * 65536 + row)?.some(test)) return true;
        }
      }
      return false;
    },
  };
}
