import type { z } from 'zod';
import type { CallName } from '../contract/api.ts';
import { budDashboard, duberDashboard, scrubDashboard } from '../contract/dashboards.ts';
import { DELIVERY_LIST, NearbyDeliveryShape } from '../contract/deliveries.ts';
import { ORDER_LIST } from '../contract/orders.ts';
import { NearbyScrubShape } from '../contract/places.ts';
import * as screens from '../contract/screenFields.ts';
import { pathsOf } from './partialSchema.ts';

type FieldsOfCall = {
  /** What the `fields` name the properties of. */
  readonly owner: z.ZodType;
  readonly screenSets: readonly (readonly string[])[];
};

/** The calls that take `fields`. */
export const FIELDS_OF_CALLS: Readonly<Partial<Record<CallName, FieldsOfCall>>> = {
  listOrders: {
    owner: ORDER_LIST.item,
    screenSets: [screens.BUD_ORDER_FIELDS, screens.SCRUB_JOB_FIELDS, screens.COUNT_FIELDS],
  },
  listDeliveries: { owner: DELIVERY_LIST.item, screenSets: [screens.DELIVERY_LIST_FIELDS] },
  findDeliveriesNearby: { owner: NearbyDeliveryShape, screenSets: [screens.NEARBY_DELIVERY_FIELDS] },
  findScrubsNearby: { owner: NearbyScrubShape, screenSets: [screens.NEARBY_SCRUB_FIELDS] },
  budDashboard: { owner: budDashboard.answer, screenSets: [screens.BUD_DASHBOARD_FIELDS] },
  scrubDashboard: { owner: scrubDashboard.answer, screenSets: [screens.SCRUB_DASHBOARD_FIELDS] },
  duberDashboard: { owner: duberDashboard.answer, screenSets: [screens.DUBER_DASHBOARD_FIELDS] },
};

/** The `fields` that ask for everything, also for what comes only when it is asked for. */
export const allFieldsOf = (owner: z.ZodType): string[] => pathsOf(owner).filter((path) => !path.includes('.'));

/** The paths in the answer that `fields` name. In a list they are properties of its items, which always have their id. */
export const answerPathsOf = (name: CallName, fields: readonly string[]): readonly string[] =>
  fields.length > 0 && (name === 'listOrders' || name === 'listDeliveries')
    ? ['data.totalCount', 'data.sumFields', 'data.next', ...['id', ...fields].map((field) => `data.items.${field}`)]
    : fields;
