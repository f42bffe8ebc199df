import { ROLES, type Role } from './accounts.ts';

/** The audiences of a broadcast. */
export const AUDIENCES = [...ROLES, 'everyone'] as const;
export type Audience = (typeof AUDIENCES)[number];

export const BROADCAST_TITLE_MAXIMUM = 100;
export const BROADCAST_WORDS_MAXIMUM = 1000;

/** The audiences that have a person in common with this one. */
export const audiencesTouching = (audience: Audience): readonly Audience[] =>
  audience === 'everyone' ? AUDIENCES : [audience, 'everyone'];

/** The role of an audience; undefined for everyone. */
export const roleOf = (audience: Audience): Role | undefined => (audience === 'everyone' ? undefined : audience);
