import { useMutation } from '@tanstack/react-query';
import { updateUser } from '../accounts/session.ts';
import { api } from '../api.ts';
import { toast } from '../ui/toast.tsx';
import styles from './VisibilitySwitch.module.css';

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
      toast.success(response.isActive ? 'You are now visible' : 'You are now invisible');
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
