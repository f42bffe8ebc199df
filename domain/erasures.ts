import { DAY_MS } from './durations.ts';

/** `cooling`: its owner can still keep the account. `forgotten`: what the law kept is deleted as well. */
export const ERASURE_STATUSES = ['active', 'cooling', 'erased', 'forgotten'] as const;
export type ErasureStatus = (typeof ERASURE_STATUSES)[number];

/** How long the owner of an account can change their mind. */
export const COOLING_MS = 14 * DAY_MS;
/** When the server tries again to erase an account that has something open. */
export const ERASE_AGAIN_AFTER_MS = DAY_MS;
/** How long the law wants the names and contacts that belong to receipts. */
export const KEPT_BY_LAW_YEARS = 10;
export const KEPT_BY_LAW_MS = KEPT_BY_LAW_YEARS * 366 * DAY_MS;

/** How long a copy of one's data can be downloaded. Until then nobody gets another one. */
export const EXPORT_KEPT_MS = 7 * DAY_MS;

/** What keeps an account from being erased. */
export const ERASURE_BLOCKERS = ['order', 'delivery', 'case', 'payment', 'balance', 'suspension'] as const;
export type ErasureBlocker = (typeof ERASURE_BLOCKERS)[number];
