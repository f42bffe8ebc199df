import { Switch } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import { useMutation } from '@tanstack/react-query';
import { updateUser } from '../accounts/session.ts';
import { api } from '../api.ts';
import { toast } from '../ui/toast.tsx';

/** Whether Buds find this Scrub; moves at once, and back again when the server does not agree. */
export function VisibilitySwitch({ isActive }: { isActive: boolean }) {
  const change = useMutation({
    mutationFn: (wanted: boolean) => api.changeVisibility({ body: { isActive: wanted } }),
    onMutate: (wanted) => updateUser({ isActive: wanted }),
    onSuccess: (answer) => {
      updateUser({ isActive: answer.isActive });
      toast.success(answer.isActive ? 'You are now visible' : 'You are now invisible');
    },
    onError: (_error, wanted) => {
      updateUser({ isActive: !wanted });
      toast.error('Visibility Not Changed', { description: 'Something went wrong.' });
    },
  });
  return (
    <Switch
      label="Visibility"
      labelPosition="left"
      size="md"
      checked={isActive}
      disabled={change.isPending}
      onChange={(event) => change.mutate(event.currentTarget.checked)}
    />
  );
}
