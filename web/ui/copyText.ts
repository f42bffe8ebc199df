import { toast } from './toast.tsx';

/** Copies a text, and tells whether that was possible: without https there is no clipboard, and the person reads the text instead. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    toast.info('Please copy it yourself', { description: text });
    return false;
  }
}
