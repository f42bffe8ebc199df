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
  const size = chooseWeighted(random, { three: 4, 'with two Dubers': 2, 'with two Buds': 3, 'two of each': 1 });
  const weeks = Number(chooseWeighted(random, { 1: 3, 2: 4, 3: 1 }));
  const roles = SIZES[size] ?? [];
  const far = 100 + random() * 2_400;
  const members = await Promise.all(
    roles.map(async (role, index): Promise<Member> => {
      const place = role === 'Scrub' ? { north: far, east: index * 90 } : { north: index * 40 };
      const number = roles.slice(0, index + 1).filter((one) => one === role).length;
      const user = await town.createUser(role, place);
      return { name: `${role} ${number}`, role, user, isOfGang: kind === 'friends' || role === 'Duber' };
    }),
  );
  return { kind, preset, members, weeks };
}

export const idsOf = ({ members }: Group, isWanted: (member: Member) => boolean): string[] =>
  members.filter(isWanted).map(({ user }) => user.user.id);
export const budsOf = (group: Group): string[] => idsOf(group, ({ role }) => role === 'Bud');
/** Those of the gang whom the town pays. */
export const workersOf = (group: Group): string[] => idsOf(group, ({ role, isOfGang }) => isOfGang && role !== 'Bud');
