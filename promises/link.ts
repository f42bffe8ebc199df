import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a port of this machine that can be slow, stopped, cut or sent elsewhere, as a network can. */
export type Link = {
  readonly port: number;
  /** Data arrives this many milliseconds later from now on. */
  delay(ms: number): void;
  /** Holds all data back from now on. It arrives when the link is healed, also when who sent it has given up. */
  stall(): void;
  /** Loses all data from now on, without closing the connections. */
  cut(): void;
  /** Closes all connections, and refuses new ones from now on. */
  refuse(): void;
  /** Ends all of that. */
  heal(): void;
  /** Closes all connections, and leads new ones to another port. */
  redirect(targetPort: number): void;
  close(): Promise<void>;
};

type State = { targetPort: number; delayMs: number; isStalled: boolean; isCut: boolean; isRefusing: boolean };

const HEALTHY = { delayMs: 0, isStalled: false, isCut: false, isRefusing: false };

export async function openLink(targetPort: number): Promise<Link> {
  const state: State = { targetPort, ...HEALTHY };
  const sockets = new Set<Socket>();
  const pumps = new Set<() => void>();
  const server: Server = createServer((from) => {
    if (state.isRefusing) {
      from.on('error', () => undefined).destroy();
      return;
    }
    const to = connect(state.targetPort, '127.0.0.1');
    for (const socket of [from, to]) {
      sockets.add(socket.setNoDelay().on('error', () => undefined));
      socket.on('close', () => sockets.delete(socket));
    }
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      const pump = forward(one, other, state);
      pumps.add(pump);
      other.on('close', () => pumps.delete(pump));
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const dropAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    delay: (delayMs) => void Object.assign(state, { delayMs }),
    stall: () => void Object.assign(state, { isStalled: true }),
    cut: () => void Object.assign(state, { isCut: true }),
    refuse() {
      state.isRefusing = true;
      dropAll();
    },
    heal() {
      // What was lost does not come again, so connections that lost something are of no use.
      if (state.isCut) dropAll();
      Object.assign(state, HEALTHY);
      for (const pump of pumps) pump();
    },
    redirect(port) {
      state.targetPort = port;
      dropAll();
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      dropAll();
      await closed;
    },
  };
}

/** What is under way from one socket to another: data, and the end of it. */
type Item = { readonly dueAt: number; readonly data: Buffer | undefined };

/** Passes on what comes from one socket, in order. Returns a function that looks again what is due. */
function forward(from: Socket, to: Socket, state: State): () => void {
  const items: Item[] = [];
  let timer: NodeJS.Timeout | undefined;

  function pump(): void {
    clearTimeout(timer);
    for (let next = items[0]; next && !state.isStalled; next = items[0]) {
      const waitMs = next.dueAt - performance.now();
      if (waitMs > 0) {
        timer = setTimeout(pump, waitMs);
        return;
      }
      items.shift();
      // It ends after what was written before.
      if (next.data === undefined) to.destroySoon();
      else to.write(next.data);
    }
  }

  function take(data: Buffer | undefined): void {
    if (state.isCut) return;
    items.push({ dueAt: performance.now() + state.delayMs, data });
    pump();
  }

  from.on('data', take);
  from.on('close', () => take(undefined));
  to.on('close', () => {
    clearTimeout(timer);
    items.length = 0;
  });
  return pump;
}
