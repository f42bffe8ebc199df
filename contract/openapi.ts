import { z } from 'zod';
import { PHOTO_TYPES } from '../domain/files.ts';
import { API } from './api.ts';
import { type Call, type CallShape, DEVICE_HEADER, DEVICE_PATTERN, TAKEN_AT_HEADER } from './call.ts';
import { streamEvents } from './events.ts';
import { errorBody, FAILURES, type Failure } from './failures.ts';
import { OPERATOR_API } from './operator/api.ts';
import type { OperatorCall } from './operator/call.ts';
import { failuresOfOperatorCall } from './operator/failuresOf.ts';
import { streamToday } from './operator/today.ts';

type JsonObject = { [key: string]: unknown };

export type DescribedCall = Call | OperatorCall;

type DescribedCalls = Readonly<Record<string, DescribedCall>>;

/** The calls of everybody, and those of the console, whose names begin with operator_. Each is a description of its own. */
export const DOCUMENTS = {
  public: { ...API, streamEvents } as DescribedCalls,
  console: {
    operator_streamToday: streamToday,
    ...Object.fromEntries(
      Object.entries(OPERATOR_API).map(([name, call]) => [`operator_${name}`, call as OperatorCall]),
    ),
  } as DescribedCalls,
} as const;
export type DocumentName = keyof typeof DOCUMENTS;

/** Everything that the API docs describe. */
export const DESCRIBED_CALLS: DescribedCalls = { ...DOCUMENTS.public, ...DOCUMENTS.console };

export const isOperatorCall = (call: DescribedCall): call is OperatorCall => 'permission' in call;

/** Whether a call takes no token. */
export const isOpenToAll = (call: DescribedCall): boolean =>
  (isOperatorCall(call) ? call.permission : call.who) === 'anyone';

/** The section of the specification of a call, and who may make it. */
export function describeCallers(call: DescribedCall): string {
  if (isOpenToAll(call)) return `${isOperatorCall(call) ? 'Console.' : `Specification ${call.spec}.`} Needs no token.`;
  if (!isOperatorCall(call)) return `Specification ${call.spec}. For: ${[...call.who].join(', ')}.`;
  const who = call.permission === 'operator' ? 'every operator' : `operators with the right "${call.permission}"`;
  return `Console. For: ${who}.${call.act ? ' An act: it takes a reason, and leaves one row in the audit.' : ''}`;
}

const INFO = {
  title: 'Rubadub',
  version: '1.0.0',
  summary: 'The three-role laundry marketplace: Buds order, Scrubs wash, Dubers carry.',
  license: { name: 'MIT', identifier: 'MIT' },
};

const ERROR_SCHEMA: JsonObject = {
  type: 'object',
  required: ['statusCode', 'error', 'message'],
  properties: {
    statusCode: { type: 'integer' },
    error: { type: 'string' },
    code: {
      description:
        'Which failure it is, for programs. New ones may be added, and answers to what is not HTTP have none',
      type: 'string',
      examples: Object.keys(FAILURES),
    },
    message: {
      description: 'A text; for a 400, one entry per invalid property',
      oneOf: [
        { type: 'string' },
        {
          type: 'array',
          items: {
            type: 'object',
            required: ['property', 'constraints'],
            properties: {
              property: { type: 'string' },
              constraints: { type: 'object', additionalProperties: { type: 'string' } },
            },
          },
        },
      ],
    },
  },
};

/** The failures of a call: those that its shape implies, and those that it declares. */
export function failuresOf(call: DescribedCall): Failure[] {
  if (isOperatorCall(call)) return failuresOfOperatorCall(call);
  const implied: Failure[] = ['tooMany', 'notReady', 'broken'];
  if (call.who !== 'anyone') implied.push('unauthenticated');
  if (call.who !== 'anyone' && call.who.length < 3) implied.push('wrongRole');
  if (call.changesState) implied.push('notMeant');
  if (call.params || call.query || call.body || call.idempotent || call.takenAt || call.device) implied.push('invalid');
  if (call.body) implied.push('notJson', 'tooLarge', 'notJsonType');
  return [...new Set([...implied, ...call.failures])].toSorted((a, b) => FAILURES[a][0] - FAILURES[b][0]);
}

/** Real answers by the name of their call, for the examples. */
export type ExampleAnswers = { readonly [name: string]: unknown };

/** The calls of a document as OpenAPI 3.1. Throws when two shapes have the same name. */
export function buildOpenApi(document: DocumentName, server = '/api', answers: ExampleAnswers = {}): JsonObject {
  const schemas: JsonObject = { Error: ERROR_SCHEMA };
  const paths: Record<string, JsonObject> = {};
  const calls = Object.entries(DOCUMENTS[document]);
  for (const [name, call] of calls) {
    const path = call.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: describeOperation(name, call, schemas, answers) };
  }
  return {
    openapi: '3.1.0',
    info: INFO,
    servers: [{ url: server }],
    tags: [...new Set(calls.map(([, call]) => tagOf(call)))].map((name) => ({ name, description: describeTag(name) })),
    paths,
    components: { schemas, securitySchemes: SECURITY_SCHEMES[document] },
  };
}

const SECURITY_SCHEMES = {
  public: { token: { type: 'http', scheme: 'bearer', description: 'authToken of login or signUp' } },
  console: {
    operatorToken: {
      ...{ type: 'http', scheme: 'bearer' },
      description: 'authToken of operator_signIn. Browsers get it in a cookie too',
    },
  },
} as const satisfies Record<DocumentName, JsonObject>;

/** The group of a call in the docs: the first word of its path. */
export const tagOf = ({ path }: DescribedCall): string => {
  const [, first = '', second = ''] = path.split('/');
  return first === 'operator' ? second : first;
};

const describeTag = (name: string): string => `Calls about ${name.replaceAll('-', ' ')}`;

/** Two shapes with one name would be documented as one of them. */
function nameSchema(schemas: JsonObject, name: string, schema: unknown): void {
  const known = schemas[name];
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
    throw new Error(`two shapes of the API have the name ${name}`);
  schemas[name] = schema;
}

/** A shape as JSON Schema. Adds the named shapes in it to `schemas`. */
function schemaOf(shape: z.ZodType, io: 'input' | 'output', schemas: JsonObject): JsonObject {
  const { $schema: _, $defs, ...schema } = z.toJSONSchema(shape, { io, unrepresentable: 'any' }) as JsonObject;
  for (const [name, definition] of Object.entries(($defs ?? {}) as JsonObject))
    nameSchema(schemas, name, relinkRefs(definition));
  const id = shape.meta()?.id;
  if (id === undefined) return relinkRefs(schema) as JsonObject;
  // The definition of a $ref was among the $defs.
  if (!('$ref' in schema)) nameSchema(schemas, id, relinkRefs(schema));
  return { $ref: `#/components/schemas/${id}` };
}

function relinkRefs(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner) =>
      key === '$ref' && typeof inner === 'string' ? inner.replace('#/$defs/', '#/components/schemas/') : inner,
    ),
  );
}

function describeOperation(
  name: string,
  call: DescribedCall,
  schemas: JsonObject,
  answers: ExampleAnswers,
): JsonObject {
  const changes =
    'changesState' in call && call.changesState
      ? ' Changes state. HEAD is 405, and the answer must not be cached.'
      : '';
  const security = isOpenToAll(call) ? [] : [{ [isOperatorCall(call) ? 'operatorToken' : 'token']: [] }];
  return {
    operationId: name,
    summary: call.summary,
    description: `${describeCallers(call)}${changes}`,
    tags: [tagOf(call)],
    security,
    ...describeParameters(call, schemas),
    ...(call.body || call.takesPhoto ? { requestBody: describeRequestBody(call, schemas) } : {}),
    responses: { ...describeSuccess(call, schemas, answers[name]), ...describeFailures(call) },
  };
}

function describeParameters(call: CallShape, schemas: JsonObject): JsonObject {
  const examples = { ...call.example?.params, ...call.example?.query } as JsonObject;
  const listed = (shape: z.ZodObject | undefined, where: 'path' | 'query') => {
    if (!shape) return [];
    const { properties = {}, required = [] } = schemaOf(shape, 'input', schemas) as {
      properties?: JsonObject;
      required?: string[];
    };
    return Object.entries(properties).map(([name, schema]) => ({
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      schema,
      ...(name in examples ? { example: examples[name] } : {}),
    }));
  };
  const key = call.idempotent
    ? [{ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', maxLength: 200 } }]
    : [];
  const taken = call.takenAt
    ? [{ name: TAKEN_AT_HEADER, in: 'header', required: false, schema: { type: 'string', format: 'date-time' } }]
    : [];
  const device = call.device
    ? [
        {
          name: DEVICE_HEADER,
          in: 'header',
          required: false,
          schema: { type: 'string', pattern: DEVICE_PATTERN.source },
        },
      ]
    : [];
  const last =
    'streams' in call ? [{ name: 'Last-Event-ID', in: 'header', required: false, schema: { type: 'string' } }] : [];
  const parameters = [
    ...listed(call.params, 'path'),
    ...listed(call.query, 'query'),
    ...key,
    ...taken,
    ...device,
    ...last,
  ];
  return parameters.length > 0 ? { parameters } : {};
}

/** The types of the files that calls answer with. */
export const FILE_TYPES = { photo: 'image/jpeg', archive: 'application/zip', calendar: 'text/calendar' } as const;

/** A photo as OpenAPI 3.1 describes raw bytes: with the type of the content alone. */
const photoContent = (types: readonly string[]): JsonObject => Object.fromEntries(types.map((type) => [type, {}]));

function describeRequestBody(call: CallShape, schemas: JsonObject): JsonObject {
  if (call.takesPhoto) return { required: true, content: photoContent(PHOTO_TYPES) };
  const schema = schemaOf(call.body as z.ZodObject, 'input', schemas);
  const example = call.example?.body;
  return { required: true, content: { 'application/json': { schema, ...(example ? { example } : {}) } } };
}

function describeSuccess(call: CallShape, schemas: JsonObject, example: unknown): JsonObject {
  if (call.status === 204) return { 204: { description: 'Done' } };
  if (call.answersFile)
    return { [call.status]: { description: call.summary, content: photoContent([FILE_TYPES[call.answersFile]]) } };
  const schema = schemaOf(call.answer, 'output', schemas);
  return {
    [call.status]: {
      description: call.summary,
      content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } },
    },
  };
}

const VALIDATION_ERRORS_EXAMPLE = [{ property: 'email', constraints: { isEmail: 'Email is invalid' } }];

function describeFailures(call: DescribedCall): JsonObject {
  const byStatus = new Map<number, Failure[]>();
  for (const failure of failuresOf(call)) {
    const [status] = FAILURES[failure];
    byStatus.set(status, [...(byStatus.get(status) ?? []), failure]);
  }
  const example = (failure: Failure) => {
    return { value: errorBody(failure, failure === 'invalid' ? VALIDATION_ERRORS_EXAMPLE : undefined) };
  };
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => {
      const examples = Object.fromEntries(names.map((failure) => [failure, example(failure)]));
      const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples } };
      return [status, { description: names.map((failure) => FAILURES[failure][1]).join(' / '), content }];
    }),
  );
}
