import { createOperatorClient } from '../../contract/operator/client.ts';

/** The typed client of the console. The session is in a cookie that no script can read: see server/operator/sessionCookie.ts. */
export const operatorApi = createOperatorClient({ host: '/api', token: () => undefined });
