type Category = {
  name: string;
  icon: string;
  // Further words by which people ask for it.
  words: string[];
  // For those that only gather others.
  covers?: string[];
};

// The vendor's canonical ids, as far as the made-up city has such places.
export const CATEGORIES: Record<string, Category> = {
  laundry: { name: 'Laundry', icon: 'laundry', words: ['laundry', 'laundromat', 'launderette', 'washing'] },
  dry_cleaners: { name: 'Dry Cleaners', icon: 'laundry', words: ['dry', 'cleaners', 'cleaning', 'laundry'] },
  cafe: { name: 'Café', icon: 'cafe', words: ['cafe', 'coffee', 'tea'] },
  bakery: { name: 'Bakery', icon: 'bakery', words: ['bakery', 'bread'] },
  restaurant: { name: 'Restaurant', icon: 'restaurant', words: ['restaurant', 'food', 'dinner'] },
  grocery: { name: 'Grocery', icon: 'grocery', words: ['grocery', 'groceries', 'supermarket', 'shop'] },
  pharmacy: { name: 'Pharmacy', icon: 'pharmacy', words: ['pharmacy', 'chemist', 'drugstore'] },
  school: { name: 'School', icon: 'school', words: ['school'] },
  hospital: { name: 'Hospital', icon: 'hospital', words: ['hospital', 'clinic'] },
  hotel: { name: 'Hotel', icon: 'lodging', words: ['hotel', 'lodging'] },
  library: { name: 'Library', icon: 'library', words: ['library', 'books'] },
  museum: { name: 'Museum', icon: 'museum', words: ['museum'] },
  post_office: { name: 'Post Office', icon: 'post', words: ['post', 'mail'] },
  park: { name: 'Park', icon: 'park', words: ['park', 'garden'] },
  railway_station: { name: 'Railway Station', icon: 'rail', words: ['station', 'train', 'railway'] },
  food_and_drink: { name: 'Food and Drink', icon: 'restaurant', words: [], covers: ['cafe', 'bakery', 'restaurant'] },
  health_services: { name: 'Health Services', icon: 'hospital', words: [], covers: ['hospital', 'pharmacy'] },
};
