import type { Role } from '../../domain/accounts.ts';

export const PASSWORD = 'Rubadub1!';

export type Person = { readonly email: string; readonly fullname: string; readonly role: Role; readonly label: string };

const someone = (role: Role, name: string, fullname: string, label = 'Home'): Person => ({
  email: `${name}@rubadub.test`,
  fullname,
  role,
  label,
});

/** The people of the demo. The first of each role is the one to sign in with. */
export const CAST = [
  someone('Bud', 'bud', 'Mina Okafor'),
  someone('Bud', 'tomas', 'Tomás Lindqvist'),
  someone('Bud', 'priya', 'Priya Raman'),
  someone('Bud', 'jonah', 'Jonah Weiss'),
  someone('Bud', 'lucia', 'Lucía Ferrer'),
  someone('Bud', 'wen', 'Wen Zhao'),
  someone('Scrub', 'scrub', 'Harriet Bloom', 'Laundry'),
  someone('Scrub', 'otis', 'Otis Fairweather', 'Laundry'),
  someone('Scrub', 'amara', 'Amara Diallo', 'Laundry'),
  someone('Scrub', 'felix', 'Felix Brandt', 'Laundry'),
  someone('Scrub', 'noor', 'Noor Haddad', 'Laundry'),
  someone('Scrub', 'eun', 'Eun-ji Park', 'Laundry'),
  someone('Scrub', 'marta', 'Marta Kowalska', 'Laundry'),
  someone('Scrub', 'silas', 'Silas Green', 'Laundry'),
  someone('Duber', 'duber', 'Rafael Costa'),
  someone('Duber', 'ines', 'Inês Duarte'),
  someone('Duber', 'kofi', 'Kofi Mensah'),
  someone('Duber', 'lena', 'Lena Vogel'),
  someone('Duber', 'arjun', 'Arjun Nair'),
] as const satisfies readonly Person[];

/** The one of a role to sign in with. */
export function leadOf(role: Role): Person | undefined {
  return CAST.find((person) => person.role === role);
}
