import { z } from 'zod';
import { anyRole, call } from './call.ts';
import { accuracy, id, strict, time } from './fields.ts';

const ID = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';

const knownAccuracy = z
  .number()
  .nullable()
  .describe('the radius in meters within which the phone probably was, if it said so');

/** The last position of a delivery's Duber, rounded to about 11 metres, and its time. */
export const Position = z
  .object({ latitude: z.number(), longitude: z.number(), accuracy: knownAccuracy, at: time })
  .meta({ id: 'Position' });
export type Position = z.output<typeof Position>;

const PositionAnswer = z.object({ position: Position.nullable() });

function degrees(name: string, most: number) {
  const error = `${name} must be a number between -${most} and ${most}`;
  return z.number({ error }).refine((value) => Math.abs(value) <= most, { error, params: { constraint: 'isDegrees' } });
}

export const readPosition = call({
  method: 'GET',
  path: '/deliveries/:id/position',
  who: anyRole,
  params: strict({ id: id('id') }),
  answer: PositionAnswer,
  status: 200,
  failures: ['notFound'],
  summary:
    "The last position of the Duber of one of the caller's deliveries; null if it was never shared, was removed, or the delivery was more than an hour ago",
  spec: '2',
  example: { params: { id: ID } },
});

export const sharePosition = call({
  method: 'POST',
  path: '/deliveries/:id/position',
  who: ['Duber'],
  params: strict({ id: id('id') }),
  body: strict({ latitude: degrees('latitude', 90), longitude: degrees('longitude', 180), accuracy }),
  answer: PositionAnswer,
  status: 200,
  failures: ['notFound', 'wrongStatus'],
  summary:
    "Share the Duber's position with the Bud and the Scrub while on the way. Within 5 s of the last position it changes nothing and answers with that one",
  spec: '2',
  example: { params: { id: ID }, body: { latitude: 24.0012, longitude: 67.0034 } },
});

export const forgetPosition = call({
  method: 'DELETE',
  path: '/deliveries/:id/position',
  who: ['Duber'],
  params: strict({ id: id('id') }),
  answer: z.undefined(),
  status: 204,
  failures: ['notFound'],
  summary: "Remove the Duber's position at once, for everyone",
  spec: '2',
  example: { params: { id: ID } },
});
