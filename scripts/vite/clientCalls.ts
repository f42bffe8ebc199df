import { join } from 'node:path';
import type { Plugin } from 'vite';
import { API } from '../../contract/api.ts';
import type { CallShape } from '../../contract/call.ts';
import { CLIENT_CALL_PROPERTIES } from '../../contract/callClient.ts';
import { ACT_SHAPES } from '../../contract/operator/actFields.ts';
import { OPERATOR_API } from '../../contract/operator/api.ts';
import { ROOT } from './root.ts';

const CALLS_ID = '\0rubadub:calls';

type Calls = Readonly<Record<string, CallShape>>;
/** The clients, and the name and the calls of what they import from './api.ts'. */
const CLIENTS: Readonly<Record<string, readonly [name: string, calls: Calls]>> = {
  [join(ROOT, 'contract/client.ts')]: ['API', API],
  [join(ROOT, 'contract/operator/client.ts')]: ['OPERATOR_API', OPERATOR_API],
};

const ACT_SHAPES_FILE = join(ROOT, 'contract/operator/actFields.ts');

/**
 * Gives the clients of the web app only the method and path of each call. Their schemas are the server's: a screen that checks
 * a form imports that form's schema, and the console the shapes of its acts as they were read from the schemas. Without this every page would load and create all of them, and the validator.
 */
export function slimClientCalls(): Plugin {
  return {
    name: 'rubadub:client-calls',
    enforce: 'pre',
    apply: 'build',
    resolveId(source, importer) {
      return source === './api.ts' && importer && importer in CLIENTS ? `${CALLS_ID}:${importer}` : null;
    },
    load(id) {
      if (id === ACT_SHAPES_FILE) return `export const ACT_SHAPES = ${JSON.stringify(ACT_SHAPES)};`;
      const client = id.startsWith(`${CALLS_ID}:`) ? CLIENTS[id.slice(CALLS_ID.length + 1)] : undefined;
      if (!client) return null;
      const [name, all] = client;
      const calls = Object.entries(all).map(([key, call]) => [key, forClient(call)]);
      return `export const ${name} = ${JSON.stringify(Object.fromEntries(calls))};`;
    },
  };
}

const forClient = (call: CallShape) => Object.fromEntries(CLIENT_CALL_PROPERTIES.map((name) => [name, call[name]]));
