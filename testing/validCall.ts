import type { Role } from '../domain/accounts.ts';
import type { Participants } from './orderSteps.ts';
import type { TestServer, TestUser } from './testServer.ts';

export type RequestInput = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
  photo?: Blob;
};
export type PreparedCall = {
  readonly input: RequestInput;
  /** The permitted users, where they are not the participants. */
  readonly callers?: Partial<Record<Role, TestUser>>;
  /** The input for each permitted role, where it differs. */
  readonly inputFor?: (role: Role) => RequestInput;
};
export type ValidCall = {
  /** Prepares a request that a permitted user may make now. */
  readonly prepare: (scenario: Scenario) => Promise<PreparedCall>;
  /** What the same request gets from a stranger with a permitted role: a status, or the stranger's own data. */
  readonly strangerResult: 404 | 409 | 'own' | 'nobody';
};
export type Scenario = { readonly testServer: TestServer; readonly participants: Participants };

export const ownDataCall = (input: RequestInput = {}): ValidCall => ({
  prepare: async () => ({ input }),
  strangerResult: 'own',
});

export function participantWithRole({ bud, scrub, duber }: Participants, role: Role): TestUser {
  return { Bud: bud, Scrub: scrub, Duber: duber }[role];
}
