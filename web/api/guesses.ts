import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query';

/** The hashes of the queries that show what a step will change, before the server has answered. */
const guessed = new Set<string>();

/** Whether a query shows a guess: the device must not keep it, because a page that opens later would show it as the truth. */
export const isGuessed = (hash: string): boolean => guessed.has(hash);

/** Shows what a step will change. `endGuess` follows, whatever comes of the step. */
export function showGuess<Data>(cache: QueryClient, key: QueryKey, guess: Data): void {
  guessed.add(hashKey(key));
  cache.setQueryData<Data>(key, guess);
}

/** Shows the answer to a step, or what was shown before the step. */
export function endGuess<Data>(cache: QueryClient, key: QueryKey, known: Data | undefined): void {
  guessed.delete(hashKey(key));
  cache.setQueryData<Data>(key, known);
}
