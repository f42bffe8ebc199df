import { createOperatorClient } from '../../contract/operator/client.ts';

const TOKEN_KEY = 'rubadub-operator';

/** The token of the console. It is not the marketplace's: one browser can have both. */
export function readOperatorToken(): string | undefined {
  return localStorage.getItem(TOKEN_KEY) ?? undefined;
}

export function saveOperatorToken(token: string | undefined): void {
  if (token === undefined) localStorage.removeItem(TOKEN_KEY);
  else localStorage.setItem(TOKEN_KEY, token);
}

/** The typed client of the console. Sends the token of the signed-in operator. */
export const operatorApi = createOperatorClient({ host: '/api', token: readOperatorToken });
