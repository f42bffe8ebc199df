import type { z } from 'zod';
import { z as zod } from 'zod';
import type { CallShape } from '../../../contract/call.ts';
import { FAILURES } from '../../../contract/failures.ts';
import {
  type DescribedCall,
  DOCUMENTS,
  type DocumentName,
  describeCallers,
  type ExampleAnswers,
  FILE_TYPES,
  failuresOf,
  tagOf,
} from '../../../contract/openapi.ts';
import { PHOTO_TYPES } from '../../../domain/files.ts';

export const STYLE = `
:root{color-scheme:light dark;--page:#f5f8fa;--card:#fff;--line:#dfe7ec;--ink:#10222b;--quiet:#51626c;--brand:#0b6e8b;--tint:#e8f6fa}
@media (prefers-color-scheme:dark){:root{--page:#0e1a20;--card:#15252d;--line:#25383f;--ink:#e6eff3;--quiet:#9db1bb;--brand:#72c3da;--tint:#10303b}}
*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);font:15px/1.55 system-ui,sans-serif}
main,header{max-width:960px;margin:0 auto;padding:24px 16px}h1{font-size:28px;margin:0 0 4px}h2{font-size:22px;margin:40px 0 12px}
p{margin:0 0 12px}.quiet{color:var(--quiet)}a{color:var(--brand)}nav{display:flex;flex-wrap:wrap;gap:8px;margin-top:16px}
nav a{padding:6px 12px;border:1px solid var(--line);border-radius:999px;text-decoration:none;background:var(--card)}
details{background:var(--card);border:1px solid var(--line);border-radius:12px;margin:0 0 12px}
summary{display:flex;flex-wrap:wrap;align-items:baseline;gap:4px 12px;padding:14px 16px;cursor:pointer;min-height:44px;overflow-wrap:anywhere}
summary:focus-visible,a:focus-visible{outline:3px solid var(--brand);outline-offset:2px}
.method{font:700 13px ui-monospace,monospace;color:var(--brand);min-width:44px}.path{font:600 14px ui-monospace,monospace}
.body{padding:0 16px 16px}.body h3{font-size:14px;margin:16px 0 6px}pre{margin:0;padding:12px;background:var(--page);border:1px solid var(--line);border-radius:10px;overflow:auto;font:13px/1.5 ui-monospace,monospace}
.wide{overflow-x:auto}table{width:100%;border-collapse:collapse}th,td{text-align:left;padding:8px 12px 8px 0;border-bottom:1px solid var(--line);vertical-align:top}
code{font:13px ui-monospace,monospace;overflow-wrap:anywhere}
`;

const escapeHtml = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? '');

type JsonObject = { [key: string]: unknown };

/** A JSON Schema as readable text: each property with its type. */
function renderSchema(schema: JsonObject, indent = ''): string {
  const {
    type,
    properties,
    items,
    anyOf,
    enum: values,
    description,
    additionalProperties,
  } = schema as {
    type?: string;
    properties?: Record<string, JsonObject>;
    items?: JsonObject;
    anyOf?: JsonObject[];
    enum?: unknown[];
    description?: string;
    additionalProperties?: JsonObject | boolean;
  };
  const note = description ? `  (${description})` : '';
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ') + note;
  if (anyOf) return anyOf.map((option) => renderSchema(option, indent)).join(' | ') + note;
  if (type === 'array') return `[${renderSchema(items ?? {}, indent)}]${note}`;
  if (properties) {
    const required = (schema.required ?? []) as string[];
    const lines = Object.entries(properties).map(
      ([name, inner]) =>
        `${indent}  ${name}${required.includes(name) ? '' : '?'}: ${renderSchema(inner, `${indent}  `)}`,
    );
    return lines.length > 0 ? `{\n${lines.join('\n')}\n${indent}}` : '{}';
  }
  if (typeof additionalProperties === 'object') return `{ [name]: ${renderSchema(additionalProperties, indent)} }`;
  return `${schema.$ref ? String(schema.$ref).split('/').at(-1) : (type ?? 'anything')}${note}`;
}

/** A Zod shape as readable text. Named shapes inside it appear by their name. */
function renderShape(shape: z.ZodType, io: 'input' | 'output'): string {
  const { $defs: _, ...schema } = zod.toJSONSchema(shape, { io, unrepresentable: 'any' }) as JsonObject;
  return renderSchema(schema);
}

function renderBody({ body, takesPhoto }: CallShape): string | undefined {
  if (takesPhoto) return `the bytes of a photo: ${PHOTO_TYPES.join(', ')}`;
  return body && renderShape(body, 'input');
}

function renderAnswer({ status, answer, answersFile }: CallShape): string {
  if (answersFile) return `the bytes of a file: ${FILE_TYPES[answersFile]}`;
  return status === 204 ? 'nothing' : renderShape(answer, 'output');
}

function renderCall(name: string, call: DescribedCall, answer: unknown): string {
  const example = call.example?.body ? JSON.stringify(call.example.body, null, 2) : undefined;
  const part = (title: string, text: string | undefined) =>
    text === undefined ? '' : `<h3>${title}</h3><pre tabindex="0">${escapeHtml(text)}</pre>`;
  const failures = failuresOf(call)
    .map((failure) => `<tr><td>${FAILURES[failure][0]}</td><td>${escapeHtml(FAILURES[failure][1])}</td></tr>`)
    .join('');
  return `<details id="${name}"><summary><span class="method">${call.method}</span><span class="path">${escapeHtml(call.path)}</span>
<span class="quiet">${escapeHtml(call.summary)}</span></summary><div class="body">
<p class="quiet">${escapeHtml(describeCallers(call))}${call.idempotent ? ' Takes an Idempotency-Key header.' : ''}${'changesState' in call ? ' Changes state although it is a GET: it needs the Bearer header, HEAD is 405.' : ''}</p>
${part('In the path', call.params && renderShape(call.params, 'input'))}
${part('Query', call.query && renderShape(call.query, 'input'))}
${part('Body', renderBody(call))}${part('For example', example)}
${part(`Answers ${call.status}`, renderAnswer(call))}
${part('For example', answer === undefined ? undefined : JSON.stringify(answer, null, 2))}
<h3>Refuses with</h3><div class="wide" tabindex="0"><table><tbody>${failures}</tbody></table></div></div></details>`;
}

/** The words of a page that the other one has not, and the address of the other one. */
const PAGES = {
  public: { title: 'Rubadub API', json: '/api/openapi.json', other: ['/api/docs-console', 'The calls of the console'] },
  console: {
    title: 'Rubadub console API',
    json: '/api/openapi-console.json',
    other: ['/api/docs', 'The calls of the app'],
  },
} as const;

/** The HTML page of a document: every call, every named shape, and every failure. */
export function renderDocsPage(document: DocumentName, answers: ExampleAnswers): string {
  const { title, json, other } = PAGES[document];
  const described = DOCUMENTS[document];
  const groups = new Map<string, string[]>();
  for (const [name, call] of Object.entries(described)) {
    const group = tagOf(call);
    groups.set(group, [...(groups.get(group) ?? []), renderCall(name, call, answers[name])]);
  }
  const named = [...new Set(Object.values(described).map((call) => call.answer))].flatMap((shape) =>
    namedShapesIn(shape),
  );
  const shapes = new Map(named);
  const failures = Object.values(FAILURES)
    .map(([status, message]) => `<tr><td>${status}</td><td>${escapeHtml(message)}</td></tr>`)
    .join('');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title><style>${STYLE}</style></head><body><header><h1>${title}</h1>
<p class="quiet">Base address <code>/api</code>. JSON in and out. Sign in, then send <code>Authorization: Bearer …</code> with every other call.
For machines: <a href="${json}">OpenAPI 3.1</a>. <a href="${other[0]}">${other[1]}</a>.</p>
<nav aria-label="Groups">${[...groups.keys()].map((group) => `<a href="#group-${group}">${group}</a>`).join('')}<a href="#shapes">shapes</a><a href="#failures">failures</a></nav></header><main>
${[...groups].map(([group, calls]) => `<h2 id="group-${group}">${group}</h2>${calls.join('')}`).join('')}
<h2 id="shapes">shapes</h2>${[...shapes].map(([name, text]) => `<details id="shape-${name}"><summary><span class="path">${name}</span></summary><div class="body"><pre tabindex="0">${escapeHtml(text)}</pre></div></details>`).join('')}
<h2 id="failures">failures</h2><p>Every error has one shape: <code>{"statusCode": 409, "error": "Conflict", "message": "…"}</code>. For a bad shape the message is a list, one entry a property:
<code>[{"property": "email", "constraints": {"isEmail": "Email is invalid"}}]</code>.</p>
<div class="wide" tabindex="0"><table><thead><tr><th>Status</th><th>Message</th></tr></thead><tbody>${failures}</tbody></table></div>
</main></body></html>`;
}

function namedShapesIn(shape: z.ZodType): [string, string][] {
  const schema = zod.toJSONSchema(shape, { io: 'output', unrepresentable: 'any' }) as JsonObject;
  const id = shape.meta()?.id;
  const { $defs = {}, ...rest } = schema as { $defs?: Record<string, JsonObject> };
  const inner = Object.entries($defs).map(([name, definition]): [string, string] => [name, renderSchema(definition)]);
  return id === undefined || '$ref' in rest ? inner : [...inner, [id, renderSchema(rest as JsonObject)]];
}
