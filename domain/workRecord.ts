/** What a Scrub or a Duber has done in a town. They take it along, signed, when they leave. */
export type WorkRecord = {
  readonly name: string;
  readonly role: 'Scrub' | 'Duber';
  /** When they signed up, as an ISO 8601 time. */
  readonly since: string;
  /** Completed orders of a Scrub, finished deliveries of a Duber. */
  readonly finished: number;
  readonly ratings: { readonly count: number; readonly average: number | null };
  /** Dollars since they signed up, less refunds that they paid for. */
  readonly earned: number;
  /** The last weeks with earnings, oldest first. A week begins on a Monday, 00:00 UTC. */
  readonly weeks: readonly { readonly from: string; readonly earned: number }[];
};

/** The types of the credential, in the data model of W3C (Verifiable Credentials 2.0). */
export const WORK_RECORD_TYPES = ['VerifiableCredential', 'WorkRecord'] as const;
/** The type of the signed text, in its header (Securing Verifiable Credentials using JOSE and COSE). */
export const WORK_RECORD_MEDIA_TYPE = 'vc+jwt';
/** More than the longest record has. */
export const WORK_RECORD_MAXIMUM = 20_000;
