type PendingKey<Key, Value> = {
  readonly key: Key;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Turns a look-up of many keys into a look-up of one key: all calls within one turn of the event loop share one `load`.
 * `load` returns its values in the order of the keys.
 */
export function batch<Key, Value>(load: (keys: readonly Key[]) => Promise<readonly Value[]>) {
  let pending: PendingKey<Key, Value>[] = [];

  async function loadPending(): Promise<void> {
    const loading = pending;
    pending = [];
    try {
      const values = await load(loading.map(({ key }) => key));
      for (const [index, { resolve }] of loading.entries()) resolve(values[index] as Value);
    } catch (error) {
      for (const { reject } of loading) reject(error);
    }
  }

  return (key: Key): Promise<Value> =>
    new Promise((resolve, reject) => {
      pending.push({ key, resolve, reject });
      if (pending.length === 1) setImmediate(() => void loadPending());
    });
}
