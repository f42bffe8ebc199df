/** The orders with a window in a time that somebody has closed: their Buds must have been asked, or the orders have ended. */
export type TouchedBoard = {
  post(orders: readonly string[], at: Date): void;
  readonly all: readonly { readonly orderId: string; readonly at: Date }[];
};

export function createTouchedBoard(): TouchedBoard {
  const all: { orderId: string; at: Date }[] = [];
  return {
    all,
    post: (orders, at) => void all.push(...orders.map((orderId) => ({ orderId, at }))),
  };
}
