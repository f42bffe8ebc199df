type Category = {
  name: string;
  icon: string;
  // Other words that people search for.
  synonyms: string[];
  // For categories that only contain others.
  includes?: string[];
};

/** The vendor's canonical ids of the categories that the made-up city has. */
export const CATEGORIES: Record<string, Category> = {
  laundry: { name: 'Laundry', icon: 'laundry', synonyms: ['laundry', 'laundromat', 'launderette', 'washing'] },
  dry_cleaners: { name: 'Dry Cleaners', icon: 'laundry', synonyms: ['dry', 'cleaners', 'cleaning', 'laundry'] },
  cafe: { name: 'Café', icon: 'cafe', synonyms: ['cafe', 'coffee', 'tea'] },
  bakery: { name: 'Bakery', icon: 'bakery', synonyms: ['bakery', 'bread'] },
  restaurant: { name: 'Restaurant', icon: 'restaurant', synonyms: ['restaurant', 'food', 'dinner'] },
  grocery: { name: 'Grocery', icon: 'grocery', synonyms: ['grocery', 'groceries', 'supermarket', 'shop'] },
  pharmacy: { name: 'Pharmacy', icon: 'pharmacy', synonyms: ['pharmacy', 'chemist', 'drugstore'] },
  school: { name: 'School', icon: 'school', synonyms: ['school'] },
  hospital: { name: 'Hospital', icon: 'hospital', synonyms: ['hospital', 'clinic'] },
  hotel: { name: 'Hotel', icon: 'lodging', synonyms: ['hotel', 'lodging'] },
  library: { name: 'Library', icon: 'library', synonyms: ['library', 'books'] },
  museum: { name: 'Museum', icon: 'museum', synonyms: ['museum'] },
  post_office: { name: 'Post Office', icon: 'post', synonyms: ['post', 'mail'] },
  park: { name: 'Park', icon: 'park', synonyms: ['park', 'garden'] },
  railway_station: { name: 'Railway Station', icon: 'rail', synonyms: ['station', 'train', 'railway'] },
  food_and_drink: {
    name: 'Food and Drink',
    icon: 'restaurant',
    synonyms: [],
    includes: ['cafe', 'bakery', 'restaurant'],
  },
  health_services: { name: 'Health Services', icon: 'hospital', synonyms: [], includes: ['hospital', 'pharmacy'] },
};
