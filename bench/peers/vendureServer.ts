import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadPackage } from './loadPackage.ts';

// Vendure's server without its worker, with one product and one paid order, which the benchmark copies.
const { bootstrap, DefaultLogger, dummyPaymentHandler, LogLevel } = loadPackage('@vendure/core');
const { populate } = loadPackage('@vendure/core/cli');

const PORT = Number(process.env.PORT);
const { hostname, port, username, password, pathname } = new URL(process.env.DATABASE_URL ?? '');

const CONFIG = {
  apiOptions: { port: PORT, hostname: '127.0.0.1', adminApiPath: 'api/admin', shopApiPath: 'api/shop', cors: false },
  authOptions: {
    tokenMethod: 'bearer',
    requireVerification: false,
    superadminCredentials: { identifier: 'superadmin', password: 'bench' },
  },
  dbConnectionOptions: {
    ...{ type: 'postgres', host: hostname, port: Number(port), username, password, database: pathname.slice(1) },
    ...{ synchronize: true, logging: false, poolSize: 10 },
  },
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
  logger: new DefaultLogger({ level: LogLevel.Error }),
  plugins: [],
};

const INITIAL_DATA = {
  defaultLanguage: 'en',
  defaultZone: 'US',
  countries: [{ name: 'United States', code: 'US', zone: 'US' }],
  taxRates: [{ name: 'Standard', percentage: 8 }],
  shippingMethods: [{ name: 'Pickup and delivery', price: 1198 }],
  paymentMethods: [
    {
      name: 'Card',
      handler: { code: dummyPaymentHandler.code, arguments: [{ name: 'automaticSettle', value: 'true' }] },
    },
  ],
  collections: [],
};

const PRODUCTS = `name,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,stockOnHand,trackInventory,variantAssets,variantFacets
Medium load,medium-load,Washed and folded,,,,,medium,12.50,standard,1000000,false,,
`;

/** The requests of a guest of the shop, up to a paid order. */
const STEPS = [
  'addItemToOrder(productVariantId: "1", quantity: 1)',
  'setCustomerForOrder(input: { firstName: "Bud", lastName: "number 0", emailAddress: "p0@bench.test" })',
  `setOrderShippingAddress(input: { fullName: "Bud number 0", streetLine1: "12 Heron Street", city: "City 1", postalCode: "10001",
    countryCode: "US" })`,
  'setOrderShippingMethod(shippingMethodId: ["1"])',
  'transitionOrderToState(state: "ArrangingPayment")',
  'addPaymentToOrder(input: { method: "card", metadata: {} })',
];

async function placeOrder(): Promise<void> {
  let token = '';
  for (const step of STEPS) {
    const response = await fetch(`http://127.0.0.1:${PORT}/api/shop`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ query: `mutation { ${step} { __typename ... on ErrorResult { message } } }` }),
    });
    token = response.headers.get('vendure-auth-token') ?? token;
    const answer = await response.text();
    if (!answer.includes('"__typename":"Order"')) throw new Error(`${step}: ${answer}`);
  }
}

const productsFile = join(process.cwd(), 'products.csv');
writeFileSync(productsFile, PRODUCTS);
await populate(() => bootstrap(CONFIG), INITIAL_DATA, productsFile);
await placeOrder();
process.send?.('ready');
