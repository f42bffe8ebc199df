import { expect, test } from 'vitest';
import { CallFailed } from '../../../contract/callClient.ts';
import { queryClient } from '../../api/queryClient.ts';
import { refreshRefusedSizes } from './orderPrice.ts';

const refusalOf = (property: string) =>
  new CallFailed(
    400,
    { statusCode: 400, error: 'Bad Request', message: [{ property, constraints: {} }] },
    new Headers(),
  );

test.each([
  ['a size that is no longer sold', refusalOf('loadSize'), true],
  ['a limit in a town that no longer weighs', refusalOf('ceilingSize'), true],
  ['another field', refusalOf('budAddressId'), false],
  ['a failure without fields', new CallFailed(503, undefined, new Headers()), false],
  ['no network', new Error('away'), false],
])('what the town sells is read again after a refusal: %s', (_name, error, isRead) => {
  queryClient.setQueryData(['config'], { weighsLaundry: true });
  refreshRefusedSizes(error);
  expect(queryClient.getQueryState(['config'])?.isInvalidated).toBe(isRead);
});
