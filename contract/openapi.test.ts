import { describe, expect, test } from 'vitest';
import { defaultFields } from './answerFields.ts';
import { DEVICE_HEADER, TAKEN_AT_HEADER } from './call.ts';
import { FAILURES, type Failure } from './failures.ts';
import {
  buildOpenApi,
  DESCRIBED_CALLS,
  type DescribedCall,
  DOCUMENTS,
  type DocumentName,
  failuresOf,
  isOpenToAll,
  isOperatorCall,
} from './openapi.ts';
import { ListedOrder } from './orders.ts';

type Json = { [key: string]: unknown };
type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Json[];
  parameters?: { name: string; in: string; required: boolean; schema: Json; example?: unknown }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Json; example?: unknown }> };
  responses: Record<string, { description: string; content?: Record<string, Json> }>;
};
type Description = {
  openapi: string;
  info: Json;
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json>; securitySchemes: Json };
};

// Parsed from text, as clients read it.
const readDocument = (name: DocumentName) => JSON.parse(JSON.stringify(buildOpenApi(name, '/api'))) as Description;
const documents = { public: readDocument('public'), console: readDocument('console') };
const calls = Object.entries(DESCRIBED_CALLS);
const documentOf = (call: DescribedCall) => documents[isOperatorCall(call) ? 'console' : 'public'];
const operationOf = (call: DescribedCall) =>
  documentOf(call).paths[call.path.replaceAll(/:(\w+)/g, '{$1}')]?.[call.method.toLowerCase()] as Operation;

function visitNodes(value: unknown, visit: (node: Json, path: string) => void, path = ''): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) visit(value as Json, path);
  for (const [key, inner] of Object.entries(value)) visitNodes(inner, visit, `${path}/${key}`);
}

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

describe.each(Object.entries(documents) as [DocumentName, Description][])(
  'the OpenAPI document %s',
  (document, description) => {
    test('has the required properties of OpenAPI 3.1', () => {
      expect(description.openapi).toMatch(/^3\.1\.\d+$/);
      expect(description.info).toMatchObject({ title: 'Rubadub', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
      expect(description.servers).toEqual([{ url: '/api' }]);
      expect(Object.keys(description.components.securitySchemes)).toEqual([
        document === 'public' ? 'token' : 'operatorToken',
      ]);
    });

    test('has exactly one operation per call, with the name of the call', () => {
      const ids = Object.values(description.paths).flatMap((methods) =>
        Object.values(methods).map((one) => one.operationId),
      );
      expect(ids.toSorted()).toEqual(Object.keys(DOCUMENTS[document]).toSorted());
    });

    test('has only references to schemas that exist, and no unused schemas', () => {
      const links = new Set<string>();
      visitNodes(description, (node, path) => {
        if (typeof node.$ref === 'string' && !path.includes('/example')) links.add(node.$ref);
        expect(node, path).not.toHaveProperty('$defs');
        expect(node, path).not.toHaveProperty('$schema');
      });
      expect(links.size).toBeGreaterThan(10);
      for (const link of links) {
        expect(link).toMatch(/^#\/components\/schemas\/\w+$/);
        expect(Object.keys(description.components.schemas), link).toContain(link.split('/').at(-1));
      }
      for (const name of Object.keys(description.components.schemas)) {
        expect([...links], name).toContain(`#/components/schemas/${name}`);
      }
    });

    test('has schemas with valid types and existing required properties', () => {
      const check = (schema: Json, path: string) => {
        visitNodes(schema, (node, at) => {
          if (at.endsWith('/properties') || !('type' in node)) return;
          for (const type of [node.type].flat()) if (typeof type === 'string') expect(TYPES, path + at).toContain(type);
          if (Array.isArray(node.required)) {
            expect(Object.keys((node.properties ?? {}) as Json), path + at).toEqual(
              expect.arrayContaining(node.required),
            );
          }
        });
      };
      for (const [name, schema] of Object.entries(description.components.schemas)) {
        expect(Object.keys(schema).length, name).toBeGreaterThan(0);
        expect(schema.type ?? schema.anyOf ?? schema.oneOf ?? schema.$ref, name).toBeDefined();
        check(schema, name);
      }
    });

    test('describes the group of every call, which others have not, and has no two paths that only their parameters tell apart', () => {
      const groups = description.tags.map(({ name }) => name);
      expect(new Set(groups).size).toBe(groups.length);
      for (const { description: words } of description.tags) expect(words.length).toBeGreaterThan(10);
      const operations = Object.values(description.paths).flatMap((methods) => Object.values(methods));
      for (const { operationId, tags } of operations)
        expect([operationId, groups]).toEqual([operationId, expect.arrayContaining(tags)]);
      const shapes = Object.keys(description.paths).map((path) => path.replaceAll(/\{\w+\}/g, '{}'));
      expect(new Set(shapes).size).toBe(shapes.length);
    });
  },
);

test('a name of a shape has one meaning, also in the calls that name the person of a console and a person nearby', () => {
  const [nearby, town] = [documents.public.components.schemas, documents.console.components.schemas];
  expect(Object.keys((nearby.Person as { properties: Json }).properties)).toEqual(['id', 'fullname']);
  expect(town).not.toHaveProperty('Person');
  expect((town.PersonForTown as { properties: Json }).properties).toHaveProperty('holds');
  // One shape may be in both.
  for (const name of Object.keys(nearby).filter((one) => one in town)) expect(town[name], name).toEqual(nearby[name]);
});

describe('the OpenAPI document of everybody', () => {
  test('describes money as numbers, times as date-time and ids as uuid', () => {
    const { components } = documents.public;
    const order = components.schemas.Order as { required: string[]; properties: Record<string, Json> };
    expect(order.required).toEqual(Object.keys(defaultFields(ListedOrder)));
    expect(order.properties.createdAt).toMatchObject({ type: 'string', format: 'date-time' });
    expect(order.properties.scrubEarning).toMatchObject({ type: 'number' });
    expect(order.properties.price).toEqual({ $ref: '#/components/schemas/Price' });
    expect(order.properties.id).toMatchObject({ type: 'string', format: 'uuid' });
  });
});

describe.each(calls)('%s in the OpenAPI document', (name, call) => {
  const operation = operationOf(call);

  test('has a summary, its section of the specification or the console, and who may call', () => {
    expect(operation.operationId).toBe(name);
    expect(operation.summary.length).toBeGreaterThan(5);
    const scheme = isOperatorCall(call) ? 'operatorToken' : 'token';
    expect(operation.security).toEqual(isOpenToAll(call) ? [] : [{ [scheme]: [] }]);
    if (isOperatorCall(call)) {
      expect(operation.description).toContain('Console.');
      expect(operation.description).toContain(call.permission === 'anyone' ? 'no token' : call.permission);
      expect(operation.description.includes('An act')).toBe(call.act !== undefined);
      return;
    }
    expect(call.spec).toMatch(/^\d/);
    expect(operation.description).toContain(`Specification ${call.spec}.`);
    if (call.who !== 'anyone') for (const role of call.who) expect(operation.description).toContain(role);
  });

  test('has every parameter of its path, query and headers, and every property of its body', () => {
    const names = (where: string) =>
      (operation.parameters ?? []).filter((one) => one.in === where).map((one) => one.name);
    const inPath = [...call.path.matchAll(/:(\w+)/g)].map(([, key]) => key);
    expect(names('path')).toEqual(inPath);
    expect(Object.keys(call.params?.shape ?? {})).toEqual(inPath);
    expect(names('query')).toEqual(Object.keys(call.query?.shape ?? {}));
    const headers = [
      ...(call.idempotent ? ['Idempotency-Key'] : []),
      ...(call.takenAt ? [TAKEN_AT_HEADER] : []),
      ...(call.device ? [DEVICE_HEADER] : []),
      ...(call.streams ? ['Last-Event-ID'] : []),
    ];
    expect(names('header')).toEqual(headers);
    const schema = operation.requestBody?.content['application/json']?.schema as { properties?: Json } | undefined;
    expect(Object.keys(schema?.properties ?? {})).toEqual(Object.keys(call.body?.shape ?? {}));
  });

  test('has an example that is a valid request', () => {
    for (const part of ['params', 'query', 'body'] as const) {
      const shape = call[part];
      const example = call.example?.[part];
      if (!shape) expect(example).toBeUndefined();
      else if (part !== 'query' || example) expect(shape.safeParse(example).error?.issues).toBeUndefined();
    }
    if (call.body) expect(operation.requestBody?.content['application/json']?.example).toEqual(call.example?.body);
  });

  test('has its success status and every failure, with examples', () => {
    const success = operation.responses[call.status];
    expect(success).toBeDefined();
    expect(success?.content === undefined).toBe(call.status === 204);
    for (const failure of failuresOf(call)) {
      const [status, message] = FAILURES[failure];
      const response = operation.responses[status];
      expect(response?.description, failure).toContain(message);
      const { examples = {} } = (response?.content?.['application/json'] ?? {}) as { examples?: Json };
      expect(examples[failure], failure).toMatchObject({ value: { statusCode: status } });
    }
    const statuses = [call.status, ...failuresOf(call).map((failure) => FAILURES[failure][0])];
    expect(Object.keys(operation.responses).toSorted()).toEqual([...new Set(statuses)].map(String).toSorted());
  });

  test('can answer 404 if its path has an id or a code, and only if its input has one', () => {
    // In the console a path may hold the name of a price, and an invitation is found by its address.
    if (isOperatorCall(call)) return;
    // A browser names the subscription that it has replaced by its address.
    const keys = [call.params, call.query, call.body].flatMap((shape) => Object.keys(shape?.shape ?? {}));
    const hasId = keys.some((key) => /^id$|Id$|^code$|^secret$|^replaces$/.test(key));
    const canBe404 = failuresOf(call).includes('notFound');
    if (canBe404) expect(hasId).toBe(true);
    if (call.params) expect(canBe404).toBe(true);
  });
});

test('every failure belongs to a call, except those of the webhook and of wrong methods', () => {
  const declared = new Set(calls.flatMap(([, call]) => failuresOf(call)));
  const never = (Object.keys(FAILURES) as Failure[]).filter((failure) => !declared.has(failure));
  expect(never).toEqual(['badSignature', 'notAllowedMethod']);
});
