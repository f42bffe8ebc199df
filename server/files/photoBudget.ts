import { HOUR_MS } from '../../domain/durations.ts';
import { PHOTO_SECONDS_PER_HOUR, PHOTO_SECONDS_PER_HOUR_OF_NETWORK, PHOTOS_PER_HOUR } from '../../domain/files.ts';
import type { Context } from '../context.ts';
import { incrementRateLimit, readRateLimits } from '../http/rateLimits.sql.ts';
import { ipNetworksOf, WIDE_NETWORK_FACTOR } from '../http/rateLimits.ts';
import { refuse } from '../http/refusals.ts';

type BudgetContext = Pick<Context, 'db' | 'now' | 'config'>;
export type Uploader = { readonly id: string; readonly address: string };

/** Milliseconds of decoding in an hour. How many photos somebody sends says nothing about how long they take. */
const TIME = 'photo-ms';

/** Refuses with 429 when a person has sent too many photos in an hour, or they or their network have used up their time. */
export async function countPhoto(context: BudgetContext, { id, address }: Uploader): Promise<void> {
  const { db, now, config } = context;
  const budgets = budgetsOf(context, { id, address });
  for (const { network, count, endsAt } of await readRateLimits(
    db,
    { kind: TIME, networks: [...budgets.keys()] },
    now(),
  ))
    if (count >= (budgets.get(network) ?? 0)) refuseUntil(endsAt, now());
  const most = Math.ceil(PHOTOS_PER_HOUR * config.rateLimitScale);
  const window = { periodMs: HOUR_MS, most };
  const { count, endsAt } = await incrementRateLimit(db, { kind: 'photos', network: id }, now(), window);
  if (count > most) refuseUntil(endsAt, now());
}

/** Notes how long a photo was decoded, whether anything came of it or not. For all servers together. */
export async function spendPhotoTime(context: BudgetContext, uploader: Uploader, ms: number): Promise<void> {
  const by = Math.max(1, Math.ceil(ms));
  for (const [network, most] of budgetsOf(context, uploader))
    await incrementRateLimit(context.db, { kind: TIME, network }, context.now(), { periodMs: HOUR_MS, most, by });
}

function budgetsOf({ config }: BudgetContext, { id, address }: Uploader): Map<string, number> {
  const toMs = (seconds: number) => Math.ceil(Math.min(seconds * 1_000 * config.rateLimitScale, 2 ** 30));
  const networks = ipNetworksOf(address).map((network) => {
    const factor = network.endsWith('/48') ? WIDE_NETWORK_FACTOR : 1;
    return [network, toMs(PHOTO_SECONDS_PER_HOUR_OF_NETWORK * factor)] as const;
  });
  return new Map([[id, toMs(PHOTO_SECONDS_PER_HOUR)], ...networks]);
}

function refuseUntil(endsAt: Date, now: Date): never {
  return refuse('tooManyPhotos', { retryAfter: (endsAt.getTime() - now.getTime()) / 1000 });
}
