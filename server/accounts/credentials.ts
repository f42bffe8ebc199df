import type { RequestOrigin } from '../../contract/call.ts';
import type { Caller } from '../../domain/accounts.ts';
import type { Context } from '../context.ts';
import type { Handlers } from '../http/routes.ts';
import { changeEmail, sendEmailChangeCodes } from './emailChange.ts';
import { type ChangedBy, changePassword } from './passwordChange.ts';

type CredentialCalls = Pick<Handlers, 'changePassword' | 'sendEmailChangeCodes' | 'changeEmail'>;

type Input = RequestOrigin & { readonly caller: Caller; readonly token?: string | undefined };

const changedBy = ({ caller, token = '', from, userAgent, device }: Input): ChangedBy => ({
  userId: caller.id,
  token,
  from,
  userAgent,
  device,
});

/** Changes of what a signed-in user signs in with. */
export function credentialHandlers(context: Context): CredentialCalls {
  return {
    changePassword: (input) => changePassword(context, input.body, changedBy(input)),
    sendEmailChangeCodes: (input) => sendEmailChangeCodes(context, input.body, changedBy(input)),
    changeEmail: (input) => changeEmail(context, input.body, changedBy(input)),
  };
}
