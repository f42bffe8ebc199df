import { Switch } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import { useMutation } from '@tanstack/react-query';
import { updateUser } from '../accounts/session.ts';
import { api } from '../api.ts';
import { toast } from '../ui/toast.tsx';

/** Whether Buds can find this Scrub. The switch moves at once, and back if the call fails. */
export function VisibilitySwitch({ isActive }: { isActive: boolean }) {
  const change = useMutation({
    mutationFn: (isVisible: boolean) => api.changeVisibility({ body: { isActive: isVisible } }),
    onMutate: (isVisible) => updateUser({ isActive: isVisible }),
    onSuccess: (response) => {
      updateUser({ isActive: response.isActive });
      toast.success(response.isActive ? 'You are now visible' : 'You are now invisible');
    },
    onError: (_error, isVisible) => {
      updateUser({ isActive: !isVisible });
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
