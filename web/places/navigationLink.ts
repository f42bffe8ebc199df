import type { Point } from '../../domain/places.ts';

export type NavigationLink = {
  readonly href: string;
  /** A web page opens beside the app; a link to an app does not. */
  readonly isWebPage: boolean;
};

/** The link that opens turn-by-turn directions to a place on a device, by what its browser says about itself. */
export function navigationLinkTo({ latitude, longitude }: Point, userAgent: string): NavigationLink {
  const place = `${latitude},${longitude}`;
  if (/android/i.test(userAgent)) return { href: `geo:${place}?q=${place}`, isWebPage: false };
  if (/iphone|ipad|ipod/i.test(userAgent))
    return { href: `https://maps.apple.com/?daddr=${place}&dirflg=d`, isWebPage: false };
  return { href: `https://www.openstreetmap.org/directions?to=${encodeURIComponent(place)}`, isWebPage: true };
}
