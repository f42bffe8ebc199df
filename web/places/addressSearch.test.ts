import { expect, test } from 'vitest';
import { createAddressSearch } from './addressSearch.ts';
import type { Place, SearchOptions, SessionToken, Suggestion } from './searchClient.ts';

type SuggestRequest = {
  text: string;
  session: string;
  answer: (names: string[]) => void;
  fail: (error: Error) => void;
};

/** A search service whose answers the test controls, in any order. */
function createManualService() {
  const asked: SuggestRequest[] = [];
  const retrieved: string[] = [];
  return {
    asked,
    retrieved,
    suggest: (text: string, session: SessionToken, options: SearchOptions = {}) =>
      new Promise<Suggestion[]>((resolve, reject) => {
        options.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
        const answer = (names: string[]) => resolve(names.map((name) => ({ mapbox_id: name, name })));
        asked.push({ text, session: session.id, answer, fail: reject });
      }),
    retrieve: async (suggestion: Suggestion, session: SessionToken): Promise<Place[]> => {
      retrieved.push(session.id);
      return [{ geometry: { coordinates: [67, 24] }, properties: { name: suggestion.name } }];
    },
  };
}

function setUp() {
  const service = createManualService();
  let count = 0;
  const search = createAddressSearch(service, () => `session-${++count}`);
  return { service, search };
}

test('a superseded search returns nothing, even when its results arrive last', async () => {
  const { service, search } = setUp();
  const first = search.suggest('wal');
  const second = search.suggest('walnut');
  service.asked[1]?.answer(['Walnut Avenue']);
  expect((await second)?.map((one) => one.name)).toEqual(['Walnut Avenue']);
  service.asked[0]?.answer(['Wall Walk']);
  expect(await first).toBeUndefined();
});

test('blank text empties the list without a request and supersedes the search in flight', async () => {
  const { service, search } = setUp();
  const first = search.suggest('wal');
  expect(await search.suggest('   ')).toEqual([]);
  service.asked[0]?.answer(['Wall Walk']);
  expect(await first).toBeUndefined();
  expect(service.asked).toHaveLength(1);
});

test('one session lasts from the first letters to the choice, and the next search starts another', async () => {
  const { service, search } = setUp();
  search.suggest('wal');
  search.suggest('walnut');
  await search.retrieve({ mapbox_id: 'a', name: 'Walnut Avenue' });
  search.suggest('mason');
  expect(service.asked.map((one) => one.session)).toEqual(['session-1', 'session-1', 'session-2']);
  expect(service.retrieved).toEqual(['session-1']);
});

test('blank text alone starts no session', async () => {
  const { service, search } = setUp();
  await search.suggest(' ');
  search.suggest('mason');
  expect(service.asked[0]?.session).toBe('session-1');
});

test('only the newest search reports its failure', async () => {
  const { service, search } = setUp();
  const first = search.suggest('wal');
  const second = search.suggest('walnut');
  service.asked[0]?.fail(new Error('late trouble'));
  service.asked[1]?.fail(new Error('trouble'));
  expect(await first).toBeUndefined();
  await expect(second).rejects.toThrow('trouble');
});
