import { useEffect } from 'react';
import { toast } from '../../ui/toast.tsx';
import { reasonOf } from '../labels.ts';

/** Shows one toast for each failed fetch (spec 8). */
export function useFailureToast(error: unknown, title: string): void {
  useEffect(() => {
    if (error) toast.error(title, { description: reasonOf(error) });
  }, [error, title]);
}
