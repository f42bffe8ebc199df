import { CURSOR_HEADER } from '../../contract/call.ts';

/** An older cursor would replay too many events, so the page refetches instead. */
const MAX_CURSOR_AGE_MS = 30_000;
const MAX_WAIT_MS = 3_000;

let earliestCursor: string | undefined;
let cursorRecordedAt = 0;
// After a failed call the page refetches when the stream starts.
let hasFailed = false;
const pendingResponses = new Set<Promise<unknown>>();

function isBefore(cursor: string, other: string): boolean {
  const [tx = 0n, id = 0n] = cursor.split('-').map(BigInt);
  const [otherTx = 0n, otherId = 0n] = other.split('-').map(BigInt);
  return tx === otherTx ? id < otherId : tx < otherTx;
}

/** Remembers the earliest event cursor among the responses that this page shows. Returns the response. */
export function trackCursor(response: Promise<Response>): Promise<Response> {
  const recorded = response.then(({ headers, status }) => {
    const cursor = headers.get(CURSOR_HEADER);
    if (status >= 500) hasFailed = true;
    if (cursor === null || (earliestCursor !== undefined && !isBefore(cursor, earliestCursor))) return;
    if (earliestCursor === undefined) cursorRecordedAt = performance.now();
    earliestCursor = cursor;
  });
  const handleError = (error: unknown) => {
    // An aborted call is not on the screen.
    if (!(error instanceof DOMException && error.name === 'AbortError')) hasFailed = true;
  };
  const done = recorded.catch(handleError).then(() => void pendingResponses.delete(done));
  pendingResponses.add(done);
  return response;
}

/** Starts over: nothing from earlier responses is on the screen any more. */
export function resetCursor(): void {
  earliestCursor = undefined;
  hasFailed = false;
  pendingResponses.clear();
}

/**
 * The cursor from which a stream must resume to miss nothing that is not on the page yet, or undefined if it is unknown.
 * Waits for pending responses, because a later response can have an earlier cursor.
 */
export async function getResumeCursor(): Promise<string | undefined> {
  const timeout = new Promise<true>((resolve) => setTimeout(() => resolve(true), MAX_WAIT_MS));
  const isTimedOut = await Promise.race([Promise.all(pendingResponses).then(() => false), timeout]);
  return isTimedOut || hasFailed || performance.now() - cursorRecordedAt > MAX_CURSOR_AGE_MS
    ? undefined
    : earliestCursor;
}
