import { useMutation } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { queryClient } from '../api/queryClient.ts';
import { updateUser } from '../session/session.ts';
import { toast } from '../ui/toast.tsx';
import styles from './VisibilitySwitch.module.css';

type Dashboard = { readonly heldBy?: string | null };

/** Whether something keeps this Scrub from new work, as far as their dashboard has told. */
const isHeld = () =>
  queryClient.getQueriesData<Dashboard>({ queryKey: ['dashboards', 'scrub'] }).some(([, data]) => data?.heldBy);

/**
 * Whether Buds can find this Scrub. The switch moves at once, and back if the call fails. It is not Mantine's, whose inputs
 * no dashboard needs.
 */
export function VisibilitySwitch({ isActive }: { isActive: boolean }) {
  const change = useMutation({
    mutationFn: (isVisible: boolean) => api.changeVisibility({ body: { isActive: isVisible } }),
    onMutate: (isVisible) => updateUser({ isActive: isVisible }),
    onSuccess: (response) => {
      updateUser({ isActive: response.isActive });
      if (!response.isActive) toast.success('You are now invisible');
      else if (isHeld())
        toast.info('You are now visible', { description: 'You get no new orders yet. Your dashboard says why.' });
      else toast.success('You are now visible');
    },
    onError: (_error, isVisible) => {
      updateUser({ isActive: !isVisible });
      toast.error('Visibility Not Changed', { description: 'Something went wrong.' });
    },
  });
  return (
    <label className={styles.switch}>
      Visibility
      <input
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox tells its state itself
        role="switch"
        className={styles.input}
        checked={isActive}
        disabled={change.isPending}
        onChange={(event) => change.mutate(event.currentTarget.checked)}
      />
    </label>
  );
}
