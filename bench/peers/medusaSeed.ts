import { loadPackage } from './loadPackage.ts';

const flows = loadPackage('@medusajs/medusa/core-flows');

const NAMES = { first_name: 'Bud', last_name: 'number 0' };
const ADDRESS = { ...NAMES, address_1: '12 Heron Street', city: 'City 1', country_code: 'us', postal_code: '10001' };

/** Makes a key of the shop, a customer and an order with the workflows of Medusa. The benchmark copies them. */
async function seed({ container }: { container: unknown }): Promise<void> {
  const run = async (name: string, input: object) => (await flows[`${name}Workflow`](container).run({ input })).result;
  const [channel] = await run('createSalesChannels', { salesChannelsData: [{ name: 'bench' }] });
  const [region] = await run('createRegions', {
    regions: [{ name: 'bench', currency_code: 'usd', countries: ['us'] }],
  });
  const [key] = await run('createApiKeys', { api_keys: [{ title: 'bench', type: 'publishable', created_by: '' }] });
  await run('linkSalesChannelsToApiKey', { id: key.id, add: [channel.id] });
  const [customer] = await run('createCustomers', {
    customersData: [{ ...NAMES, email: 'p0@bench.test', phone: '+12025550123', has_account: true }],
  });
  await run('createOrder', {
    region_id: region.id,
    sales_channel_id: channel.id,
    customer_id: customer.id,
    email: customer.email,
    currency_code: 'usd',
    shipping_address: ADDRESS,
    billing_address: ADDRESS,
    items: [{ title: 'Medium load', quantity: 1, unit_price: 12.5 }],
    shipping_methods: [{ name: 'Pickup and delivery', amount: 11.98 }],
  });
}

// Medusa runs the default export.
export { seed as default };
