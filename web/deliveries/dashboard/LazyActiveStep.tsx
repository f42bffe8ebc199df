import { lazyPart } from '../../ui/lazyPart.tsx';

/** Apart from the dashboard, which most Dubers open to look for work. */
export const LazyActiveStep = lazyPart('The next step', async () => (await import('./ActiveStep.tsx')).ActiveStep);
