import { bearerHeaders } from '../api/load.ts';
import type { Line, Peer, Question } from './peer.ts';
import { copyRows, newPhone } from './peer.ts';

const ADDRESS = 'fullName streetLine1 city postalCode country';
const WHOLE_ORDER = `id code state createdAt updatedAt orderPlacedAt currencyCode subTotal subTotalWithTax shipping shippingWithTax
  total totalWithTax customer { id firstName lastName emailAddress } shippingAddress { ${ADDRESS} } billingAddress { ${ADDRESS} }
  lines { id quantity unitPrice unitPriceWithTax linePriceWithTax taxLines { description taxRate } productVariant { id name sku } }
  shippingLines { priceWithTax shippingMethod { id name } } payments { id method state amount }
  taxSummary { description taxRate taxTotal }`;

const ask = (query: string, variables: object = {}) => ({
  method: 'POST' as const,
  path: '',
  body: { query: query.replaceAll(/\s+/g, ' '), variables },
});

const listOfOrders = (fields: string): Line => ({
  toRequest: () =>
    ask(
      `query { activeCustomer { orders(options: { take: 10, sort: { createdAt: DESC } }) { totalItems items { ${fields} } } } }`,
    ),
  answerPath: 'data.activeCustomer.orders.items',
});

const ORDERS = '(select o.*, b.n as person from bench.orders o join bench.people b on b.id = o.bud_id) o';
// The server made the row with the id 1.
const ID = 'o.n + 1';
const PERSON = 'p.n + 1';

const FILL = [
  copyRows('"user"', 'bench.people p', { id: PERSON, identifier: `'p' || p.n || '@bench.test'` }),
  `insert into user_roles_role ("userId", "roleId")
    select p.n + 1, r.id from bench.people p join role r on r.code = '__customer_role__'`,
  copyRows('customer', 'bench.people p', {
    id: PERSON,
    userId: PERSON,
    firstName: 'p.role',
    lastName: `'number ' || p.i`,
    emailAddress: `'p' || p.n || '@bench.test'`,
    phoneNumber: `'+12025550123'`,
  }),
  copyRows('customer_channels_channel', 'bench.people p', { customerId: PERSON }),
  copyRows('address', 'bench.people p', { id: PERSON, customerId: PERSON, streetLine1: `p.i || ' Heron Street'` }),
  copyRows('session', 'bench.people p', {
    id: PERSON,
    token: `'bench-' || p.n`,
    userId: PERSON,
    type: `'AuthenticatedSession'`,
    authenticationStrategy: `'native'`,
  }),
  copyRows('"order"', ORDERS, {
    id: ID,
    code: `'BENCH' || o.n`,
    customerId: 'o.person + 1',
    createdAt: 'o.at',
    updatedAt: 'o.at',
    orderPlacedAt: 'o.at',
  }),
  copyRows('order_channels_channel', ORDERS, { orderId: ID }),
  copyRows('shipping_line', ORDERS, { id: ID, orderId: ID }),
  copyRows('order_line', ORDERS, { id: ID, orderId: ID, shippingLineId: ID }),
  copyRows('payment', ORDERS, { id: ID, orderId: ID, transactionId: `'bench-' || o.n` }),
];

export const VENDURE: Peer = {
  name: 'Vendure',
  packages: { '@vendure/core': '3.7.3', pg: '8.23.1' },
  server: 'vendureServer.ts',
  connection: { base: '/api/shop', headersOf: bearerHeaders },
  fill: FILL,
  lines: {
    me: {
      toRequest: () => ask('query { activeCustomer { id firstName lastName emailAddress phoneNumber } }'),
      answerPath: 'data.activeCustomer',
    },
    'order detail': {
      toRequest: ({ order }: Question) =>
        ask(`query ($id: ID!) { order(id: $id) { ${WHOLE_ORDER} } }`, { id: String(order + 1) }),
      answerPath: 'data.order',
    },
    'list of orders': listOfOrders('id code state totalWithTax createdAt'),
    'list, other fields': listOfOrders(
      'state totalWithTax createdAt shippingAddress { streetLine1 } lines { quantity productVariant { name } }',
    ),
    'list, whole': listOfOrders(WHOLE_ORDER),
    'update of a profile': {
      toRequest: () =>
        ask('mutation ($phone: String) { updateCustomer(input: { phoneNumber: $phone }) { id phoneNumber } }', {
          phone: newPhone(),
        }),
      answerPath: 'data.updateCustomer',
    },
  },
};
