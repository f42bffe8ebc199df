import { useEffect } from 'react';
import { useOffline } from '../../hooks/useOffline.ts';
import { errorMessageOf } from '../../ui/errorMessage.ts';
import { toast } from '../../ui/toast.tsx';

/** Shows one toast for each failed fetch (spec 8). Without a network the screen itself says so. */
export function useFailureToast(error: unknown, title: string): void {
  const isOffline = useOffline();
  useEffect(() => {
    if (error && !isOffline) toast.error(title, { description: errorMessageOf(error, 'Something went wrong') });
  }, [error, title]);
}
