import type { Role } from '../../domain/accounts.ts';

/** For a server that only this machine can reach: see `prepareDemoPassword`. */
export const DEMO_PASSWORD = 'Rubadub1!';

export type DemoPerson = {
  readonly email: string;
  readonly fullname: string;
  readonly role: Role;
  readonly label: string;
};

const createPerson = (role: Role, name: string, fullname: string, label = 'Home'): DemoPerson => ({
  email: `${name}@rubadub.test`,
  fullname,
  role,
  label,
});

/** The demo people. The first of each role is its primary account. */
export const DEMO_PEOPLE = [
  createPerson('Bud', 'bud', 'Mina Okafor'),
  createPerson('Bud', 'tomas', 'Tomás Lindqvist'),
  createPerson('Bud', 'priya', 'Priya Raman'),
  createPerson('Bud', 'jonah', 'Jonah Weiss'),
  createPerson('Bud', 'lucia', 'Lucía Ferrer'),
  createPerson('Bud', 'wen', 'Wen Zhao'),
  createPerson('Scrub', 'scrub', 'Harriet Bloom', 'Laundry'),
  createPerson('Scrub', 'otis', 'Otis Fairweather', 'Laundry'),
  createPerson('Scrub', 'amara', 'Amara Diallo', 'Laundry'),
  createPerson('Scrub', 'felix', 'Felix Brandt', 'Laundry'),
  createPerson('Scrub', 'noor', 'Noor Haddad', 'Laundry'),
  createPerson('Scrub', 'eun', 'Eun-ji Park', 'Laundry'),
  createPerson('Scrub', 'marta', 'Marta Kowalska', 'Laundry'),
  createPerson('Scrub', 'silas', 'Silas Green', 'Laundry'),
  createPerson('Duber', 'duber', 'Rafael Costa'),
  createPerson('Duber', 'ines', 'Inês Duarte'),
  createPerson('Duber', 'kofi', 'Kofi Mensah'),
  createPerson('Duber', 'lena', 'Lena Vogel'),
  createPerson('Duber', 'arjun', 'Arjun Nair'),
] as const satisfies readonly DemoPerson[];

/**
 * Drive in a demo that is alive. The Dubers above are under way in its history. They live in the homes after those of the
 * demo people.
 */
export const LIVE_DUBERS = [
  createPerson('Duber', 'nadia', 'Nadia Petrova'),
  createPerson('Duber', 'samuel', 'Samuel Oduya'),
  createPerson('Duber', 'maeve', 'Maeve Byrne'),
] as const satisfies readonly DemoPerson[];

export const ALL_DEMO_PEOPLE: readonly DemoPerson[] = [...DEMO_PEOPLE, ...LIVE_DUBERS];

/** Runs the town of the demo. */
export const DEMO_OPERATOR = { email: 'operator@rubadub.test', fullname: 'Greta Stone' } as const;

/** The second operator, whom some acts need. Nobody is offered this account. */
export const DEMO_COLLEAGUE = { email: 'colleague@rubadub.test', fullname: 'Ruben Adler' } as const;

/** The account of a role that the start prints for signing in. */
export function primaryAccountOf(role: Role): DemoPerson | undefined {
  return DEMO_PEOPLE.find((person) => person.role === role);
}
