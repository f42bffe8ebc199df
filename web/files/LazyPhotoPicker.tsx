import { lazyPart } from '../ui/lazyPart.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';

/** A field for photos whose code loads when it is shown. */
export const LazyPhotoPicker = lazyPart(
  'The field for photos',
  async () => (await import('./PhotoPicker.tsx')).PhotoPicker,
  { fallback: <Skeleton height={96} /> },
);
