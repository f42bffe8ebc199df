import { expect, test } from 'vitest';
import { navigationLinkTo } from './navigationLink.ts';

const PLACE = { latitude: 24.01, longitude: -67.5 };
const ANDROID = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1';
const LAPTOP = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';

test.each([
  ['an Android phone opens its own map app', ANDROID, { href: 'geo:24.01,-67.5?q=24.01,-67.5', isWebPage: false }],
  [
    'an iPhone opens Apple Maps',
    IPHONE,
    { href: 'https://maps.apple.com/?daddr=24.01,-67.5&dirflg=d', isWebPage: false },
  ],
  [
    'any other device opens a map in a new tab',
    LAPTOP,
    { href: 'https://www.openstreetmap.org/directions?to=24.01%2C-67.5', isWebPage: true },
  ],
])('%s', (_title, userAgent, link) => {
  expect(navigationLinkTo(PLACE, userAgent)).toEqual(link);
});
