import { readStored, writeStored } from './stores.ts';

const KEY = 'rubadub-push';

/** Whose pushes this browser gets and at which endpoint, as the server was told last. */
type EnabledPush = { readonly userId: string; readonly endpoint: string };

export function readEnabledPush(): EnabledPush | undefined {
  try {
    return (JSON.parse(readStored(KEY) ?? 'null') as EnabledPush | null) ?? undefined;
  } catch {
    return undefined;
  }
}

export const saveEnabledPush = (enabled: EnabledPush): void => writeStored(KEY, JSON.stringify(enabled));

/** At the end of a session, which ends its pushes, and when the device was removed. */
export const forgetEnabledPush = (): void => writeStored(KEY, null);
