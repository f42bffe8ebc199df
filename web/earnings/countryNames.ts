const names = new Intl.DisplayNames(['en'], { type: 'region' });

/** The English name of a country, by its two letters. */
export const nameOfCountry = (country: string): string => names.of(country) ?? country;
