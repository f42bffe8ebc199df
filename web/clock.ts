// The time by the server's clock. A phone whose clock is wrong by minutes would hide where the driver is, count down to another
// time, and say of its steps that they were taken in the future, which the server refuses.

/** `Date` counts seconds, and an answer takes a moment: less than this is no wrong clock. */
const TOLERANCE_MS = 60_000;
/** An answer that took longer says nothing about now: the phone may have slept. */
const SOON_MS = 10_000;

let aheadMs = 0;

/** Reads from the answer to a request how far this device's clock is off. Returns the answer. */
export async function learnTime(request: Promise<Response>): Promise<Response> {
  const startedAt = Date.now();
  const response = await request;
  const saidAt = Date.parse(response.headers.get('date') ?? '');
  const now = Date.now();
  if (Number.isNaN(saidAt) || Math.abs(now - startedAt) > SOON_MS) return response;
  aheadMs = Math.abs(now - saidAt) > TOLERANCE_MS ? now - saidAt : 0;
  return response;
}

/** Now, by the server's clock as far as it is known, otherwise by the device's. */
export const currentTime = (): Date => new Date(Date.now() - aheadMs);
