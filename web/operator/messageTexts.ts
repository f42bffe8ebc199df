import type { Audience } from '../../domain/broadcasts.ts';

export const AUDIENCE_TEXTS: Readonly<Record<Audience, string>> = {
  Bud: 'All Buds',
  Scrub: 'All Scrubs',
  Duber: 'All Dubers',
  everyone: 'Everyone',
};

export const peopleText = (people: number): string =>
  people === 1 ? '1 person' : `${people.toLocaleString('en')} people`;
