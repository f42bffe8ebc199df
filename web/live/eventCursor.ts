import { CURSOR_HEADER } from '../../contract/call.ts';

/** What is older than a page's beginning is not news any more: it is looked at anew instead. */
const MAX_CURSOR_AGE_MS = 30_000;
const MAX_WAIT_MS = 3_000;

let earliestCursor: string | undefined;
let cursorRecordedAt = 0;
// What failed is asked for again when the stream begins, as all is that nobody can vouch for.
let hasFailed = false;
const pendingResponses = new Set<Promise<unknown>>();

function isBefore(one: string, other: string): boolean {
  const [tx = 0n, id = 0n] = one.split('-').map(BigInt);
  const [otherTx = 0n, otherId = 0n] = other.split('-').map(BigInt);
  return tx === otherTx ? id < otherId : tx < otherTx;
}

/** Remembers the earliest place among the events that an answer on this page stands at; gives the answer on. */
export function trackCursor(answer: Promise<Response>): Promise<Response> {
  const noted = answer.then(({ headers, status }) => {
    const cursor = headers.get(CURSOR_HEADER);
    if (status >= 500) hasFailed = true;
    if (cursor === null || (earliestCursor !== undefined && !isBefore(cursor, earliestCursor))) return;
    if (earliestCursor === undefined) cursorRecordedAt = performance.now();
    earliestCursor = cursor;
  });
  const failed = (error: unknown) => {
    // What is not waited for any more is not on the screen.
    if (!(error instanceof DOMException && error.name === 'AbortError')) hasFailed = true;
  };
  const done = noted.catch(failed).then(() => void pendingResponses.delete(done));
  pendingResponses.add(done);
  return answer;
}

/** Nothing that was asked before is on the screen: the next answer is the first. */
export function resetCursor(): void {
  earliestCursor = undefined;
  hasFailed = false;
  pendingResponses.clear();
}

/**
 * Where a stream must go on so that nothing is missed of what the answers on this page do not show yet; undefined where
 * nobody can say. Waits for what is being asked: an answer may be older than another that came first.
 */
export async function getResumeCursor(): Promise<string | undefined> {
  const late = new Promise<true>((resolve) => setTimeout(() => resolve(true), MAX_WAIT_MS));
  const isLate = await Promise.race([Promise.all(pendingResponses).then(() => false), late]);
  return isLate || hasFailed || performance.now() - cursorRecordedAt > MAX_CURSOR_AGE_MS ? undefined : earliestCursor;
}
