import { lazy, Suspense } from 'react';
import { useConfig } from '../config.ts';

const DocumentsNotice = lazy(async () => ({ default: (await import('./DocumentsNotice.tsx')).DocumentsNotice }));
const DocumentsSection = lazy(async () => ({ default: (await import('./DocumentsSection.tsx')).DocumentsSection }));

/** The part about documents of a dashboard or a profile. Its code loads only in a town that requires them. */
export function LazyDocuments({ place }: { place: 'dashboard' | 'profile' }) {
  if (!useConfig()?.asksDocuments) return null;
  return <Suspense fallback={null}>{place === 'profile' ? <DocumentsSection /> : <DocumentsNotice />}</Suspense>;
}
