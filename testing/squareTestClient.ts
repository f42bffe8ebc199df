import type { ApiError, Payment, Refund } from '../sandbox/square/types.ts';

type Camel<Name> = Name extends `${infer Head}_${infer Rest}` ? `${Head}${Capitalize<Camel<Rest> & string>}` : Name;
type Camelized<T> = T extends readonly (infer Item)[]
  ? Camelized<Item>[]
  : T extends object
    ? { [Key in keyof T as Camel<Key> & string]: Camelized<T[Key]> }
    : T;
export type TestPayment = Camelized<Payment>;
type TestRefund = Camelized<Refund>;
type Request = Readonly<Record<string, unknown>>;
type Page<Item> = { readonly data: Item[] } & AsyncIterable<Item>;

/** An answer of Square's API that is not a success. `body` is as received. */
export class SquareApiError extends Error {
  readonly statusCode: number;
  readonly errors: readonly ApiError[];
  readonly body: unknown;

  constructor(statusCode: number, body: { readonly errors?: ApiError[] }) {
    super(`Square answered ${statusCode}`);
    this.statusCode = statusCode;
    this.errors = body.errors ?? [];
    this.body = body;
  }
}

/** A client of Square's API for tests, which is independent of the product's. Names are camelCase here. */
export type SquareTestClient = ReturnType<typeof createSquareTestClient>;

export function createSquareTestClient(baseUrl: string) {
  async function send<T>(method: string, path: string, body?: object, timeoutMs = 30_000): Promise<T> {
    const response = await fetch(`${baseUrl}/v2${path}`, {
      method,
      headers: { authorization: 'Bearer any-token', 'content-type': 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
      ...(method === 'GET' ? {} : { body: JSON.stringify(renameKeys(body ?? {}, toSnakeCase)) }),
    });
    const received = (await response.json()) as object;
    if (!response.ok) throw new SquareApiError(response.status, received);
    return renameKeys(received, toCamelCase) as T;
  }
  async function list<Item>(path: string, name: string, query: Request): Promise<Page<Item>> {
    const entries = Object.entries(query).map(([key, value]) => [toSnakeCase(key), String(value)] as const);
    const page = await send<Record<string, Item[]> & { cursor?: string }>(
      'GET',
      `${path}?${new URLSearchParams(Object.fromEntries(entries))}`,
    );
    const data = page[name] ?? [];
    return {
      data,
      async *[Symbol.asyncIterator]() {
        yield* data;
        if (page.cursor !== undefined) yield* await list<Item>(path, name, { ...query, cursor: page.cursor });
      },
    };
  }
  type PaymentAnswer = { payment?: TestPayment };
  type RefundAnswer = { refund?: TestRefund };
  type Id = { readonly paymentId: string };
  return {
    payments: {
      create: (request: Request) => send<PaymentAnswer>('POST', '/payments', request),
      get: ({ paymentId }: Id, { timeoutMs }: { timeoutMs?: number } = {}) =>
        send<PaymentAnswer>('GET', `/payments/${paymentId}`, undefined, timeoutMs),
      update: ({ paymentId, ...request }: Id & Request) =>
        send<PaymentAnswer>('PUT', `/payments/${paymentId}`, request),
      complete: ({ paymentId, ...request }: Id & Request) =>
        send<PaymentAnswer>('POST', `/payments/${paymentId}/complete`, request),
      cancel: ({ paymentId }: Id) => send<PaymentAnswer>('POST', `/payments/${paymentId}/cancel`),
      cancelByIdempotencyKey: (request: Request) => send<{ errors?: ApiError[] }>('POST', '/payments/cancel', request),
      list: (query: Request = {}) => list<TestPayment>('/payments', 'payments', query),
    },
    refunds: {
      refundPayment: (request: Request) => send<RefundAnswer>('POST', '/refunds', request),
      get: ({ refundId }: { refundId: string }) => send<RefundAnswer>('GET', `/refunds/${refundId}`),
      list: (query: Request = {}) => list<TestRefund>('/refunds', 'refunds', query),
    },
  };
}

const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const toCamelCase = (name: string) => name.replace(/_([a-z\d])/g, (_match, letter: string) => letter.toUpperCase());

function renameKeys(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renameKeys(item, rename));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [rename(name), renameKeys(inner, rename)]));
}
