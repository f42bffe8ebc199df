import { z } from 'zod';
import { POLICY_NAMES, PRESETS } from '../../domain/policies.ts';
import { oneOf, strict, time } from '../fields.ts';
import { act, operatorCall } from './call.ts';

const value = z.enum(PRESETS);

/** How strict the town is in one thing. */
export const TownPolicy = z
  .object({
    name: z.string(),
    value,
    from: time.nullable().describe('since when; null when nobody has set it'),
    setBy: z.string().nullable(),
    next: z.object({ value, from: time, setBy: z.string() }).nullable().describe('what was set for a later day'),
    values: z.array(z.object({ value, words: z.array(z.string()) })).describe('what each value means, in plain words'),
  })
  .meta({ id: 'TownPolicy' });
export type TownPolicy = z.output<typeof TownPolicy>;

export const listPolicies = operatorCall({
  method: 'GET',
  path: '/operator/policies',
  permission: 'see',
  answer: z
    .object({
      preset: value.nullable().describe('the preset that all policies are set to; null when they differ'),
      policies: z.array(TownPolicy).max(POLICY_NAMES.length),
    })
    .meta({ id: 'TownPolicies' }),
  status: 200,
  failures: [],
  summary: 'How strict the town is, in plain words',
});

const chosen = oneOf(PRESETS, `A policy is one of ${PRESETS.join(', ')}`);

export const setPolicy = act({
  path: '/operator/policies/:id/set',
  permission: 'prices',
  act: { subject: 'town', takesCode: true, approval: 'always' },
  params: strict({ id: z.enum(POLICY_NAMES, { error: `A policy is one of ${POLICY_NAMES.join(', ')}` }) }),
  body: { value: chosen },
  failures: [],
  summary: 'Set a policy from tomorrow on, or at once before the first order. Needs a second operator',
  example: { params: { id: 'proof' }, body: { value: 'careful', reason: 'Two bags were mixed up' } },
});

export const setPreset = act({
  path: '/operator/policies/preset',
  permission: 'prices',
  act: { subject: 'town', takesCode: true, approval: 'always' },
  body: { preset: chosen },
  failures: [],
  summary: 'Set all policies to a preset from tomorrow on, or at once before the first order. Needs a second operator',
  example: { body: { preset: 'careful', reason: 'Strangers order now' } },
});
