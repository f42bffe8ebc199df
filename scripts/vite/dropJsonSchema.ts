import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const ZOD_JSON_SCHEMA_MODULE = /\/zod\/v4\/core\/(json-schema-processors|json-schema-generator|to-json-schema)\.js$/;

/** Removes zod's JSON Schema generator from the web app. Only the server's API description needs its 6 kB (gzip). */
export function dropJsonSchema(): Plugin {
  return {
    name: 'rubadub:no-json-schema',
    apply: 'build',
    load(id) {
      if (!ZOD_JSON_SCHEMA_MODULE.test(id)) return null;
      const lines = readFileSync(id, 'utf8').split('\n');
      const names = lines.flatMap((line) => /^export (?:const|function|class) (\w+)/.exec(line)?.[1] ?? []);
      const stub = "const stub = () => () => { throw new Error('The web app does not include JSON Schema'); };";
      return `${stub} export { ${names.map((name) => `stub as ${name}`).join(', ')} };`;
    },
  };
}
