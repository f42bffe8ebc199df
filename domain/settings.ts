import type { TownBank } from './bankFiles.ts';
import type { Hours, Pause } from './hours.ts';
import { DEFAULT_IDENTITY, type Identity, type Logo } from './identity.ts';
import type { PromiseCredit } from './promises.ts';
import { OTHER_SERVICES, type OtherService } from './services.ts';
import type { SetUp } from './setUp.ts';
import type { WindowPlan } from './windows.ts';

/** The settings of the town, besides prices and policies. Each row has a start time. */
export type TownSettings = {
  /** Cents that operators may refund of one order without approval. */
  readonly refundLimitOrder: number;
  /** Cents that one operator may refund in a day without approval. */
  readonly refundLimitDay: number;
  /** Cents that the platform pays one Duber in seven days, for what no order pays, before the town looks at more. */
  readonly platformPayWeek: number;
  /** The IANA name of the time zone that days and weeks begin in. */
  readonly timeZone: string;
  /** The town's own accounts, that payouts are sent from. */
  readonly bank: TownBank;
  /** No new orders are taken until then; null while the town is open. */
  readonly pause: Pause | null;
  /** When orders are taken, by weekday. */
  readonly hours: Hours;
  /** What the town offers besides wash and fold. */
  readonly services: readonly OtherService[];
  /** Which sections of the set-up are answered. */
  readonly setUp: SetUp;
  readonly identity: Identity;
  /** The windows in which people can have their laundry fetched and brought; null for a town that comes as soon as possible. */
  readonly windows: WindowPlan | null;
  /** What a missed promise pays by itself; null for nothing. */
  readonly promiseCredit: PromiseCredit | null;
};

/** What the settings store. The logo is read apart from the others, because of its size. */
export type StoredSettings = TownSettings & { readonly logo: Logo | null };

export type SettingName = keyof StoredSettings;

export const SETTING_DEFAULTS: TownSettings = {
  refundLimitOrder: 3_000,
  refundLimitDay: 15_000,
  platformPayWeek: 1_200,
  timeZone: 'UTC',
  bank: { usBank: null, iban: null },
  pause: null,
  hours: [],
  // spec 1
  services: OTHER_SERVICES,
  setUp: { answered: [], isDone: false },
  identity: DEFAULT_IDENTITY,
  windows: null,
  promiseCredit: null,
};
