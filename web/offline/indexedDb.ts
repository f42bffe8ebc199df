import { SCOPE } from '../storage/scope.ts';

/** `stores` maps the name of each object store to its key path. */
export type DatabaseSchema = {
  readonly name: string;
  readonly version: number;
  readonly stores: Readonly<Record<string, string>>;
};

/**
 * Runs `callback` in one transaction. Opens the database for it and closes it again, because a database that a tab keeps
 * open cannot be deleted at sign-out. A new schema version starts empty.
 */
export async function withDatabase<T>(
  schema: DatabaseSchema,
  mode: 'readonly' | 'readwrite',
  callback: (store: (name: string) => IDBObjectStore) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(schema);
  try {
    const transaction = database.transaction(Object.keys(schema.stores), mode);
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error('The IndexedDB transaction was aborted'));
    });
    done.catch(() => undefined);
    const result = await callback((name) => transaction.objectStore(name));
    await done;
    return result;
  } finally {
    database.close();
  }
}

/** The result of an IndexedDB request. */
export function promisifyRequest<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function openDatabase({ name, version, stores }: DatabaseSchema): Promise<IDBDatabase> {
  const request = indexedDB.open(name + SCOPE, version);
  request.onupgradeneeded = () => {
    const database = request.result;
    for (const name of database.objectStoreNames) database.deleteObjectStore(name);
    for (const [store, keyPath] of Object.entries(stores)) database.createObjectStore(store, { keyPath });
  };
  const database = await promisifyRequest(request);
  database.onversionchange = () => database.close();
  return database;
}
