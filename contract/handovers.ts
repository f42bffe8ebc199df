import { z } from 'zod';
import { ROLES } from '../domain/accounts.ts';
import { BAG_CODE_CHARACTERS, MAX_BAGS, PROOFS, readBagCode } from '../domain/handovers.ts';
import { anyRole, call } from './call.ts';
import { DeliveryStep } from './deliveries.ts';
import { bagCount, stepReport } from './exceptions.ts';
import { flag, id, strict, time, uuid } from './fields.ts';

const ID = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';
const CODE = '7KQ2MB';

const bagCode = z
  .string({ error: 'code must be text' })
  .max(300, { error: 'code must be at most 300 characters' })
  .transform((value, context) => {
    const code = readBagCode(value);
    if (code !== undefined) return code;
    const message = `A bag's code has six of these characters: ${BAG_CODE_CHARACTERS}`;
    context.addIssue({ code: 'custom', message, params: { constraint: 'isBagCode' } });
    return z.NEVER;
  });

const { pin, bags, fileIds, place } = stepReport;
const bagCodes = z
  .array(bagCode, { error: 'bagCodes must be a list of codes' })
  .max(MAX_BAGS, { error: `bagCodes must have at most ${MAX_BAGS} codes` })
  .optional();

const proofStep = {
  method: 'POST',
  who: ['Duber'],
  idempotent: true,
  takenAt: true,
  params: strict({ id: id('id') }),
  answer: DeliveryStep,
  status: 200,
  spec: '4.2',
} as const;

export const collectWithProof = call({
  ...proofStep,
  path: '/deliveries/:id/collected',
  body: strict({ bags, bagCodes, fileIds, place }),
  failures: ['notFound', 'wrongStatus', 'proofNeeded', 'wrongBag'],
  summary: 'Mark the laundry as collected, with the codes of its bags, their number or a photo',
  example: { params: { id: ID }, body: { bags: 2, bagCodes: [CODE] } },
});

export const deliverWithProof = call({
  ...proofStep,
  path: '/deliveries/:id/delivered',
  body: strict({ pin, bags, fileIds, place }),
  failures: ['notFound', 'wrongStatus', 'proofNeeded', 'wrongPin', 'pinBlocked'],
  summary:
    'Mark the laundry as delivered, with the PIN of the person who takes it, or a photo where the Bud lets it stand at the door',
  example: { params: { id: ID }, body: { pin: '4821', bags: 2 } },
});

/** One of the people who had the laundry. */
const Holder = z.object({ role: z.enum(ROLES), id: uuid, fullname: z.string() }).meta({ id: 'Holder' });

const Handover = z
  .object({
    position: z.int().describe('1 for the first'),
    giver: Holder,
    taker: Holder,
    deliveryId: uuid.nullable().describe('null when the Bud and the Scrub met without a Duber'),
    bags: z.int().nullable().describe('as the one who pressed has counted them; null when nobody did'),
    proof: z.enum(PROOFS),
    takesBack: z.int().nullable().describe('the position of the hand-over that this one takes back'),
    confirmed: z.object({ bags: z.int(), at: time }).nullable().describe('what the taker said afterwards'),
    fileIds: z.array(uuid).describe('its photos that are still kept and that the caller sees'),
    takenAt: time.nullable().describe("by the device's clock, when it sent the step later"),
    at: time,
  })
  .meta({ id: 'Handover' });
export type Handover = z.output<typeof Handover>;

export const Custody = z
  .object({
    orderId: uuid,
    holder: Holder.describe('who has the laundry'),
    since: time.nullable().describe('null before the first hand-over'),
    bags: z.int().nullable().describe('as they were counted last'),
    handovers: z.array(Handover).describe('oldest first'),
    canConfirm: z.boolean().describe('whether the caller can say now that they have the laundry'),
    pin: z.string().nullable().describe("the caller's own, for the Duber who brings their laundry"),
    isPinBlocked: z
      .boolean()
      .describe("whether the caller's own PIN was wrong five times and no longer works; always false for a Duber"),
    leaveAtDoor: z.boolean().describe('whether the Bud lets the laundry stand at the door'),
    tags: z
      .array(z.object({ code: z.string(), n: z.int() }))
      .describe('the codes of the bags, for the Bud and the Scrub'),
  })
  .meta({ id: 'Custody' });
export type Custody = z.output<typeof Custody>;

export const readCustody = call({
  method: 'GET',
  path: '/scrub-orders/:id/custody',
  who: anyRole,
  params: strict({ id: id('id') }),
  answer: Custody,
  status: 200,
  failures: ['notFound'],
  summary: 'Who has the laundry of an order, and every time it changed hands. For a Duber while they carry it',
  spec: '4.2',
  example: { params: { id: ID } },
});

export const confirmReceived = call({
  method: 'POST',
  path: '/scrub-orders/:id/received',
  who: ['Bud', 'Scrub'],
  params: strict({ id: id('id') }),
  body: strict({ bags: bagCount }),
  answer: Custody,
  status: 200,
  failures: ['notFound', 'nothingHandedOver'],
  summary:
    'Say that the laundry is with the caller: confirms the last hand-over, or makes it while its Duber is at the door',
  spec: '4.2',
  example: { params: { id: ID }, body: { bags: 2 } },
});

export const chooseLeaveAtDoor = call({
  method: 'POST',
  path: '/scrub-orders/:id/leave-at-door',
  who: ['Bud'],
  params: strict({ id: id('id') }),
  body: strict({ leaveAtDoor: flag('leaveAtDoor') }),
  answer: Custody,
  status: 200,
  failures: ['notFound'],
  summary: 'Choose whether the laundry may stand at the door when it is brought back',
  spec: '4.2',
  example: { params: { id: ID }, body: { leaveAtDoor: true } },
});

export const makeBags = call({
  method: 'POST',
  path: '/scrub-orders/:id/bags',
  who: ['Bud', 'Duber'],
  params: strict({ id: id('id') }),
  body: strict({ bags: bagCount }),
  answer: z.object({
    tags: z.array(z.object({ code: z.string(), n: z.int(), url: z.string() })).describe('what to write on each bag'),
  }),
  status: 200,
  failures: ['notFound', 'wrongStatus'],
  summary:
    'Codes for this many bags of an order. Those that it has already stay. A Duber gets only their own, before they collect it',
  spec: '4.2',
  example: { params: { id: ID }, body: { bags: 2 } },
});

export const readBag = call({
  method: 'GET',
  path: '/bags/:code',
  who: 'anyone',
  params: strict({ code: bagCode }),
  answer: z.object({ code: z.string(), supportEmail: z.string(), supportPhone: z.string().optional() }),
  status: 200,
  failures: ['notFound'],
  summary: 'A bag that somebody found: where to write. It says nothing about people',
  spec: '4.2',
  example: { params: { code: CODE } },
});

export const readOwnBag = call({
  method: 'GET',
  path: '/bags/:code/order',
  who: anyRole,
  params: strict({ code: bagCode }),
  answer: z.object({
    code: z.string(),
    n: z.int(),
    orderId: uuid,
    deliveryId: uuid.nullable().describe("a Duber's own; null for a Bud and a Scrub"),
  }),
  status: 200,
  failures: ['notFound'],
  summary: "The order of one of the caller's bags",
  spec: '4.2',
  example: { params: { code: CODE } },
});
