const MAX_CACHED = 500;

/** Caches the result of `make` by key. The cache has a limit because clients choose a part of the keys. */
export function cacheByKey<T>(make: (key: string) => T): (key: string) => T {
  const cache = new Map<string, T>();
  return (key) => {
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const made = make(key);
    if (cache.size < MAX_CACHED) cache.set(key, made);
    return made;
  };
}

/** Caches the results of `make` for the `limit` keys that were used last. */
export function cacheLatest<T>(limit: number): (key: string, make: () => T) => T {
  const cache = new Map<string, T>();
  return (key, make) => {
    const value = cache.get(key) ?? make();
    cache.delete(key);
    cache.set(key, value);
    const [oldest] = cache.keys();
    if (cache.size > limit && oldest !== undefined) cache.delete(oldest);
    return value;
  };
}
