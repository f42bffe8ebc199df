import type { API } from '../../contract/api.ts';
import type { ClientInput } from '../../contract/call.ts';
import type { DeliveryAction } from '../../domain/deliveries.ts';

/** What hands the laundry over, and can be proved. */
export type ProofAction = Extract<DeliveryAction, 'collected' | 'delivered'> | 'brought-back';

/** What proves a hand-over. */
export type StepProof = ClientInput<typeof API.collectWithProof>['body'] &
  ClientInput<typeof API.deliverWithProof>['body'];

/** What comes of a step, for the sheet that asked for it: it was taken or waits on the device, or was refused. */
export type StepEnds = { readonly onSuccess: () => void; readonly onError: (error: Error) => void };
