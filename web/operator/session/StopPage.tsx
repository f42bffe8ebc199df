import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { errorMessageOf } from '../../ui/errorMessage.ts';
import { operatorApi } from '../operatorApi.ts';
import { OperatorFrame, Problem } from './OperatorFrame.tsx';

/** The link of the mail to a town's owner: what the only operator has asked for does not happen. */
export function StopPage() {
  const [params] = useSearchParams();
  const stop = useMutation({
    mutationFn: () => operatorApi.stopApproval({ body: { token: params.get('token') ?? '' } }),
  });
  if (stop.isSuccess)
    return (
      <OperatorFrame title="It is stopped">
        <p role="status">Nothing happens. The operator sees that it was stopped with the link of the mail.</p>
      </OperatorFrame>
    );
  return (
    <OperatorFrame title="Stop it?" line="Then what your operator asked for does not happen.">
      {stop.isError && <Problem text={errorMessageOf(stop.error, 'The server did not answer. Please try again.')} />}
      <Button color="red" loading={stop.isPending} onClick={() => stop.mutate()}>
        Stop it
      </Button>
    </OperatorFrame>
  );
}
