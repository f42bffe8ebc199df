import { createHmac } from 'node:crypto';
import { bearerHeaders } from '../api/load.ts';
import { copyRows, newPhone, type Peer } from './peer.ts';

const SECRET = 'bench';
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const tokens = new Map<string, string>();

/** The token that a customer gets when they sign in. Medusa keeps no sessions: it checks the signature. */
export function signToken(token: string): string {
  const known = tokens.get(token);
  if (known) return known;
  const n = token.slice('bench-'.length);
  const payload = { actor_id: `cus_${n}`, actor_type: 'customer', auth_identity_id: `auth_${n}`, app_metadata: {} };
  const signed = `${base64({ alg: 'HS256', typ: 'JWT' })}.${base64({ ...payload, user_metadata: {} })}`;
  const result = `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;
  tokens.set(token, result);
  return result;
}

const listOfOrders = (fields: string) => ({
  toRequest: () => ({ path: `/orders?limit=10&order=-created_at&fields=${fields}` }),
  answerPath: 'orders',
});

const ORDERS = '(select o.*, b.n as person from bench.orders o join bench.people b on b.id = o.bud_id) o';

const FILL = [
  `update api_key set token = 'pk_bench' where title = 'bench'`,
  copyRows('customer', 'bench.people p', {
    id: `'cus_' || p.n`,
    first_name: 'p.role',
    last_name: `'number ' || p.i`,
    email: `'p' || p.n || '@bench.test'`,
  }),
  ...['ship', 'bill'].map((kind) => copyRows('order_address', ORDERS, { id: `'${kind}_' || o.n` })),
  copyRows('"order"', ORDERS, {
    id: `'order_' || o.n`,
    display_id: 'o.n + 1',
    customer_id: `'cus_' || o.person`,
    email: `'p' || o.person || '@bench.test'`,
    shipping_address_id: `'ship_' || o.n`,
    billing_address_id: `'bill_' || o.n`,
    created_at: 'o.at',
    updated_at: 'o.at',
  }),
  copyRows('order_line_item', ORDERS, { id: `'ordli_' || o.n` }),
  copyRows('order_item', ORDERS, {
    id: `'orditem_' || o.n`,
    order_id: `'order_' || o.n`,
    item_id: `'ordli_' || o.n`,
  }),
  copyRows('order_shipping_method', ORDERS, { id: `'ordsm_' || o.n` }),
  copyRows('order_shipping', ORDERS, {
    id: `'ordspmv_' || o.n`,
    order_id: `'order_' || o.n`,
    shipping_method_id: `'ordsm_' || o.n`,
  }),
  copyRows('order_summary', ORDERS, { id: `'ordsum_' || o.n`, order_id: `'order_' || o.n` }),
];

export const MEDUSA: Peer = {
  name: 'Medusa',
  packages: {
    '@medusajs/medusa': '2.21.2',
    '@medusajs/framework': '2.21.2',
    '@medusajs/cli': '2.21.2',
  },
  server: 'medusaServer.ts',
  connection: {
    base: '/store',
    headersOf: (token) => ({ ...bearerHeaders(signToken(token)), 'x-publishable-api-key': 'pk_bench' }),
  },
  fill: FILL,
  lines: {
    me: { toRequest: () => ({ path: '/customers/me' }), answerPath: 'customer' },
    'order detail': { toRequest: ({ order }) => ({ path: `/orders/order_${order}` }), answerPath: 'order' },
    'list of orders': listOfOrders('id,display_id,status,total,created_at'),
    'list, other fields': listOfOrders('status,total,created_at,shipping_address.address_1,items.title,items.quantity'),
    'list, whole': listOfOrders('*items,*shipping_address,*billing_address,*shipping_methods'),
    'update of a profile': {
      toRequest: () => ({ method: 'POST', path: '/customers/me', body: { phone: newPhone() } }),
      answerPath: 'customer',
    },
  },
};
