// The people of a gang, and those whom they meet.

import type { Role } from '../../domain/accounts.ts';
import type { Preset } from '../../domain/policies.ts';
import { chooseWeighted, type Random } from '../../testing/random.ts';
import type { TestUser } from '../../testing/testServer.ts';
import type { GangTown } from './gangTown.ts';

export type Member = {
  /** As the steps of a life name them: 'Duber 2'. */
  readonly name: string;
  readonly role: Role;
  readonly user: TestUser;
  /** Whether they are of the gang. The others do what they should. */
  readonly isOfGang: boolean;
};

/** `friends`: the gang has all roles. `strangers`: the gang are Dubers, and Buds and Scrubs are honest. */
export type GangKind = 'friends' | 'strangers';

export type Group = {
  readonly kind: GangKind;
  readonly preset: Preset;
  readonly members: readonly Member[];
  readonly weeks: number;
};

/** Most gangs are small: the bound grows with their number. */
const SIZES: Readonly<Record<string, readonly Role[]>> = {
  three: ['Bud', 'Scrub', 'Duber'],
  'with two Dubers': ['Bud', 'Scrub', 'Duber', 'Duber'],
  'with two Buds': ['Bud', 'Bud', 'Scrub', 'Duber'],
  'two of each': ['Bud', 'Bud', 'Scrub', 'Scrub', 'Duber', 'Duber'],
};

export async function createGroup(town: GangTown, random: Random): Promise<Group> {
  const kind = chooseWeighted<GangKind>(random, { friends: 4, strangers: 1 });
  const preset = chooseWeighted<Preset>(random, { open: 3, careful: 2 });
  const size = chooseWeighted(random, { three: 5, 'with two Dubers': 1, 'with two Buds': 3, 'two of each': 0.5 });
  const weeks = Number(chooseWeighted(random, { 1: 6, 2: 3, 3: 0.5 }));
  return openGroup(town, { kind, preset, weeks, roles: SIZES[size] ?? [], far: 100 + random() * 2_400 });
}

/** So many Buds, a Scrub and a Duber who live close together. */
export const createSmallGroup = (
  town: GangTown,
  { buds, ...group }: Pick<Group, 'kind' | 'preset' | 'weeks'> & { readonly buds: number },
): Promise<Group> =>
  openGroup(town, { ...group, roles: [...Array<Role>(buds).fill('Bud'), 'Scrub', 'Duber'], far: 1_000 });

type GroupPlan = Omit<Group, 'members'> & {
  readonly roles: readonly Role[];
  /** How far the Scrubs live from the Buds, in meters. */
  readonly far: number;
};

async function openGroup(town: GangTown, { roles, far, ...group }: GroupPlan): Promise<Group> {
  const members = await Promise.all(
    roles.map(async (role, index): Promise<Member> => {
      const place = role === 'Scrub' ? { north: far, east: index * 90 } : { north: index * 40 };
      const number = roles.slice(0, index + 1).filter((one) => one === role).length;
      const user = await town.createUser(role, place);
      return { name: `${role} ${number}`, role, user, isOfGang: group.kind === 'friends' || role === 'Duber' };
    }),
  );
  return { ...group, members };
}

export const idsOf = ({ members }: Group, isWanted: (member: Member) => boolean): string[] =>
  members.filter(isWanted).map(({ user }) => user.user.id);
export const budsOf = (group: Group): string[] => idsOf(group, ({ role }) => role === 'Bud');
/** Those of the gang whom the town pays. */
export const workersOf = (group: Group): string[] => idsOf(group, ({ role, isOfGang }) => isOfGang && role !== 'Bud');
