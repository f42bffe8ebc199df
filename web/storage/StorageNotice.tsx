import { Banner } from '../ui/Banner.tsx';
import { describeLosses, useLosses } from './losses.ts';

/** Says what is lost while the browser refuses to keep something. */
export function StorageNotice() {
  const text = describeLosses(useLosses());
  return <div role="status">{text !== undefined && <Banner>{text}</Banner>}</div>;
}
