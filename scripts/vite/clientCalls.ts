import { join } from 'node:path';
import type { Plugin } from 'vite';
import { API } from '../../contract/api.ts';
import type { Call } from '../../contract/call.ts';
import { CLIENT_CALL_PROPERTIES } from '../../contract/client.ts';
import { ROOT } from './root.ts';

const CLIENT = join(ROOT, 'contract/client.ts');
const CALLS_ID = '\0rubadub:calls';

/**
 * Gives the client of the web app only the method and path of each call. Its schemas are the server's: a screen that checks
 * a form imports that form's schema. Without this every page would load and create all of them, and the validator.
 */
export function slimClientCalls(): Plugin {
  return {
    name: 'rubadub:client-calls',
    enforce: 'pre',
    apply: 'build',
    resolveId(source, importer) {
      return source === './api.ts' && importer === CLIENT ? CALLS_ID : null;
    },
    load(id) {
      if (id !== CALLS_ID) return null;
      const calls = Object.entries<Call>(API).map(([name, call]) => [name, forClient(call)]);
      return `export const API = ${JSON.stringify(Object.fromEntries(calls))};`;
    },
  };
}

const forClient = (call: Call) => Object.fromEntries(CLIENT_CALL_PROPERTIES.map((name) => [name, call[name]]));
