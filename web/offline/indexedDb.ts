/** A database of this browser: its name, the version of its shape, and its stores by the property that keys them. */
export type DatabaseSchema = {
  readonly name: string;
  readonly version: number;
  readonly stores: Readonly<Record<string, string>>;
};

/**
 * Does something with the stores of a database in one transaction. It is opened for this alone: a database that some
 * page holds open could not be deleted at logout. A new version begins empty.
 */
export async function withDatabase<T>(
  shape: DatabaseSchema,
  mode: 'readonly' | 'readwrite',
  act: (store: (name: string) => IDBObjectStore) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(shape);
  try {
    const transaction = database.transaction(Object.keys(shape.stores), mode);
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error('The browser did not keep it'));
    });
    done.catch(() => undefined);
    const result = await act((name) => transaction.objectStore(name));
    await done;
    return result;
  } finally {
    database.close();
  }
}

/** The answer of a request to a store. */
export function promisifyRequest<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function openDatabase({ name, version, stores }: DatabaseSchema): Promise<IDBDatabase> {
  const request = indexedDB.open(name, version);
  request.onupgradeneeded = () => {
    const database = request.result;
    for (const old of database.objectStoreNames) database.deleteObjectStore(old);
    for (const [store, keyPath] of Object.entries(stores)) database.createObjectStore(store, { keyPath });
  };
  const database = await promisifyRequest(request);
  database.onversionchange = () => database.close();
  return database;
}
