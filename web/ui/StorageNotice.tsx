import { describeLosses, useLosses } from '../storage/losses.ts';
import { Banner } from './Banner.tsx';

/** Says what is lost while the browser refuses to keep something. */
export function StorageNotice() {
  const text = describeLosses(useLosses());
  return <div role="status">{text !== undefined && <Banner>{text}</Banner>}</div>;
}
