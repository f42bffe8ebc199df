type PendingKey<Key, Value> = {
  readonly key: Key;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Asks for many keys at once what is asked for one at a time: whatever comes in while the event loop goes round once is
 * one question. `load` answers in the order of its keys.
 */
export function batch<Key, Value>(load: (keys: readonly Key[]) => Promise<readonly Value[]>) {
  let waiting: PendingKey<Key, Value>[] = [];

  async function ask(): Promise<void> {
    const asked = waiting;
    waiting = [];
    try {
      const values = await load(asked.map(({ key }) => key));
      for (const [index, { resolve }] of asked.entries()) resolve(values[index] as Value);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  return (key: Key): Promise<Value> =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (waiting.length === 1) setImmediate(() => void ask());
    });
}
