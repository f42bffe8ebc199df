/** A binary heap of corners: the one with the lowest cost comes first. */
export type CornerQueue = {
  readonly size: number;
  push: (corner: number, cost: number) => void;
  pop: () => { corner: number; cost: number } | undefined;
};

type Entry = { corner: number; cost: number };

export function createCornerQueue(): CornerQueue {
  const heap: Entry[] = [];
  const costAt = (index: number) => heap[index]?.cost ?? Number.POSITIVE_INFINITY;
  const swap = (a: number, b: number) => {
    [heap[a], heap[b]] = [heap[b] as Entry, heap[a] as Entry];
  };
  return {
    get size() {
      return heap.length;
    },
    push(corner, cost) {
      let at = heap.push({ corner, cost }) - 1;
      for (let parent = (at - 1) >> 1; at > 0 && costAt(parent) > cost; parent = (at - 1) >> 1) {
        swap(at, parent);
        at = parent;
      }
    },
    pop() {
      const top = heap[0];
      const last = heap.pop();
      if (top === undefined || last === undefined || heap.length === 0) return top;
      heap[0] = last;
      for (let at = 0; ; ) {
        const left = 2 * at + 1;
        const child = costAt(left + 1) < costAt(left) ? left + 1 : left;
        if (costAt(child) >= last.cost) return top;
        swap(at, child);
        at = child;
      }
    },
  };
}
