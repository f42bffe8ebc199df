import { createPushKeys, type PushKeyPair } from '../../sandbox/push/decrypt.ts';

/** A device that gets pushes. Only it can read them. */
export type PushDevice = {
  readonly id: string;
  readonly endpoint: string;
  readonly keys: PushKeyPair;
  /** The tags of the pushes that were read, by the ids of the push service. */
  readonly tags: Map<string, string>;
};

/** What a browser gives to a site that may send pushes to it. */
export function createSubscription(pushUrl: string, name: string) {
  const keys = createPushKeys();
  const endpoint = `${pushUrl}/${name.toLowerCase().replaceAll(' ', '-')}`;
  return { endpoint, keys, body: { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth }, agent: name } };
}
