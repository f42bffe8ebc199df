import { z } from 'zod';
import { anyRole, call } from './call.ts';
import { id, strict, time } from './fields.ts';

const ID = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';

/** The last place of a delivery's Duber, rounded to about 11 metres, and when it was told. */
export const Position = z.object({ latitude: z.number(), longitude: z.number(), at: time }).meta({ id: 'Position' });
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
    'Where the Duber of the own delivery was last seen: null when it was not told, was taken back, or lies an hour behind Delivered',
  spec: '2',
  example: { params: { id: ID } },
});

export const sharePosition = call({
  method: 'POST',
  path: '/deliveries/:id/position',
  who: ['Duber'],
  params: strict({ id: id('id') }),
  body: strict({ latitude: degrees('latitude', 90), longitude: degrees('longitude', 180) }),
  answer: PositionAnswer,
  status: 200,
  failures: ['notFound', 'wrongStatus'],
  summary:
    'Tells the Bud and the Scrub where the Duber is, on the way only. Within 5 s of the last one it changes nothing, and answers what is kept',
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
  summary: 'Takes back where the Duber was: it is gone at once, for everybody',
  spec: '2',
  example: { params: { id: ID } },
});
