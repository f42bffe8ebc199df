import { loadPackage } from './loadPackage.ts';

// Parse Server as its guide starts it, with the classes that the benchmark fills.
const express = loadPackage('express');
const { ParseServer } = loadPackage('parse-server');

const PORT = Number(process.env.PORT);
const pointer = (targetClass: string) => ({ type: 'Pointer', targetClass });
const [text, number, yesNo, list, object] = ['String', 'Number', 'Boolean', 'Array', 'Object'].map((type) => ({
  type,
}));
const [bud, scrub, duber] = [pointer('_User'), pointer('_User'), pointer('_User')];
const signedIn = { requiresAuthentication: true };
const classLevelPermissions = { get: signedIn, find: signedIn, count: signedIn, update: signedIn };

const CLASSES = {
  _User: { fullname: text, phone: text, role: text, rating: number, ratingCount: number },
  Address: { user: bud, label: text, address: text, location: { type: 'GeoPoint' } },
  Place: { scrub, active: yesNo, address: text, location: { type: 'GeoPoint' } },
  Order: {
    ...{ number, status: text, loadSize: text, selfDelivery: yesNo, selfPickup: yesNo, orderInstructions: text },
    ...{ price: object, budAddress: object, scrubAddress: object, distanceInMeters: number, statusHistory: list },
    ...{ bud, scrub, deliveries: list },
  },
  Delivery: {
    ...{ deliveryType: text, status: text, price: number, distanceInMeters: number, statusHistory: list },
    ...{ order: pointer('Order'), bud, scrub, duber },
  },
};

const server = new ParseServer({
  databaseURI: process.env.DATABASE_URL,
  appId: 'bench',
  masterKey: 'bench-master',
  serverURL: `http://127.0.0.1:${PORT}/api`,
  verifyServerUrl: false,
  logLevel: 'error',
  silent: true,
  logsFolder: null,
  schema: {
    definitions: Object.entries(CLASSES).map(([className, fields]) => ({ className, fields, classLevelPermissions })),
  },
});
await server.start();
const app = express();
app.use('/api', server.app);
app.listen(PORT, '127.0.0.1', () => process.send?.('ready'));
