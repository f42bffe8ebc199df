import { useConfig } from '../api/config.ts';
import { lazyPart } from '../ui/lazyPart.tsx';

const DocumentsNotice = lazyPart(
  'The list of your documents',
  async () => (await import('./DocumentsNotice.tsx')).DocumentsNotice,
);
const DocumentsSection = lazyPart(
  'The list of your documents',
  async () => (await import('./DocumentsSection.tsx')).DocumentsSection,
);

/** The part about documents of a dashboard or a profile. Its code loads only in a town that requires them. */
export function LazyDocuments({ place }: { place: 'dashboard' | 'profile' }) {
  if (!useConfig()?.asksDocuments) return null;
  return place === 'profile' ? <DocumentsSection /> : <DocumentsNotice />;
}
