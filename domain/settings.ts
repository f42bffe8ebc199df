import type { TownBank } from './bankFiles.ts';
import type { Hours, Pause } from './hours.ts';

/** What operators set for the whole town, besides prices and policies. Each row says from when it holds. */
export type TownSettings = {
  /** Cents that operators may give back of one order without a second yes. */
  readonly refundLimitOrder: number;
  /** Cents that one operator may give back in a day without a second yes. */
  readonly refundLimitDay: number;
  /** The IANA name of the time zone that days and weeks begin in. */
  readonly timeZone: string;
  /** The town's own accounts, that payouts are sent from. */
  readonly bank: TownBank;
  /** No new orders are taken until then; null while the town is open. */
  readonly pause: Pause | null;
  /** When orders are taken, by weekday. */
  readonly hours: Hours;
};

export type SettingName = keyof TownSettings;

export const SETTING_DEFAULTS: TownSettings = {
  refundLimitOrder: 3_000,
  refundLimitDay: 15_000,
  timeZone: 'UTC',
  bank: { usBank: null, iban: null },
  pause: null,
  hours: [],
};
