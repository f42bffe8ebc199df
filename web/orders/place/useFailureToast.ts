import { useEffect } from 'react';
import { toast } from '../../ui/toast.tsx';
import { reasonOf } from '../labels.ts';

/** Says once, for each time that it happens, that something could not be fetched (spec 8). */
export function useFailureToast(error: unknown, title: string): void {
  useEffect(() => {
    if (error) toast.error(title, { description: reasonOf(error) });
  }, [error, title]);
}
