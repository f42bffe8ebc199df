import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { handleError } from '../../server/http/errors.ts';
import { createPaceControl } from './pace.ts';

test('a visitor changes the speed of the neighbours, and a speed that is none is refused with those that are', async () => {
  const control = createPaceControl();
  const app = Fastify();
  app.setErrorHandler(handleError);
  control.register(app);
  const url = '/sandbox/demo/pace';
  const put = (payload: object) => app.inject({ method: 'PUT', url, payload });
  expect((await app.inject({ url })).json()).toEqual({ pace: 1 });
  expect((await put({ pace: 10 })).json()).toEqual({ pace: 10 });
  const refused = await put({ pace: 1_000 });
  expect([refused.statusCode, refused.json().message]).toEqual([400, 'pace must be one of 1, 3, 10']);
  expect([control.pace(), (await app.inject({ url })).json()]).toEqual([10, { pace: 10 }]);
  await app.close();
});
