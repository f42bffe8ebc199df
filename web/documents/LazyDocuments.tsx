import { lazy, Suspense } from 'react';
import { useConfig } from '../config.ts';

const DocumentsNotice = lazy(async () => ({ default: (await import('./DocumentsNotice.tsx')).DocumentsNotice }));
const DocumentsSection = lazy(async () => ({ default: (await import('./DocumentsSection.tsx')).DocumentsSection }));

/** What stands about documents on a dashboard or a profile. Elsewhere than in a town that asks for them, nothing is loaded for it. */
export function LazyDocuments({ place }: { place: 'dashboard' | 'profile' }) {
  if (!useConfig()?.asksDocuments) return null;
  return <Suspense fallback={null}>{place === 'profile' ? <DocumentsSection /> : <DocumentsNotice />}</Suspense>;
}
