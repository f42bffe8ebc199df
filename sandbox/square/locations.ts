import type { ApiResponse } from './types.ts';

/** Every id is a location of this stand-in, which takes cards in US dollars. */
export const getLocation = (id: string): ApiResponse => ({
  status: 200,
  body: {
    location: {
      ...{ id, name: 'The stand-in', status: 'ACTIVE', country: 'US', currency: 'USD', language_code: 'en-US' },
      capabilities: ['CREDIT_CARD_PROCESSING'],
    },
  },
});
