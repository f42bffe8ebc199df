/** spec 2.11: 'Location (24.0123, 67.0345)'. */
export function locationText({ lat, lng }: { lat: number; lng: number }): string {
  return `Location (${lat}, ${lng})`;
}
