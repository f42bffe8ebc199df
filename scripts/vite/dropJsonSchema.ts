import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const ZOD_JSON_SCHEMA_MODULE = /\/zod\/v4\/core\/(json-schema-processors|json-schema-generator|to-json-schema)\.js$/;

/** Leaves zod's printing of JSON Schemas out of the page: 6 kB after gzip, which only the server's documents need. */
export function dropJsonSchema(): Plugin {
  return {
    name: 'rubadub:no-json-schema',
    apply: 'build',
    load(id) {
      if (!ZOD_JSON_SCHEMA_MODULE.test(id)) return null;
      const names = readFileSync(id, 'utf8').matchAll(/^export (?:const|function|class) (\w+)/gm);
      const refuse = "const refuse = () => () => { throw new Error('JSON Schema is left out of the page'); };";
      return `${refuse} export { ${[...names].map(([, name]) => `refuse as ${name}`).join(', ')} };`;
    },
  };
}
