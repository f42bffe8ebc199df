import { expect, test } from 'vitest';
import type { OperatorClient } from '../../contract/operator/client.ts';
import { CALL_COMMANDS, readCall, runCall } from './callCommand.ts';

test('a refund says what was left when it was typed, so that of two at once the second one is refused', async () => {
  const sent: object[] = [];
  const api = {
    previewRefund: async () => ({ left: 26.83 }),
    refundOrder: async (input: object) => {
      sent.push(input);
      return { approvalId: null };
    },
  } as unknown as OperatorClient;
  const command = CALL_COMMANDS.get('refund-order');
  const id = '01932f6e-7d1c-7a3b-8c5d-1e2f3a4b5c6d';
  const refund = async (...more: string[]) => {
    if (!command) throw new Error('there is no such command');
    const typed = [id, '--amount', '5', '--liable', 'platform', '--reason', 'late', ...more];
    expect(await runCall(api, command, readCall(command, typed))).toBe('Done.');
  };
  await refund();
  await refund('--left', '21.83');
  const body = { amount: 5, liable: 'platform', reason: 'late' };
  expect(sent).toEqual([
    { params: { id }, body: { ...body, left: 26.83 } },
    { params: { id }, body: { ...body, left: 21.83 } },
  ]);
});
