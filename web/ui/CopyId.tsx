import { useState } from 'react';
import styles from './CopyId.module.css';
import { shortId } from './format.ts';
import { Icon } from './icons.tsx';
import { toast } from './toast.tsx';

/** A short id that copies the whole one. */
export function CopyId({ id, label: of = 'id' }: { id: string; label?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(id);
      setCopied(true);
    } catch {
      // Browsers give no clipboard to pages without https; the whole id is then shown for copying by hand.
      toast.info('Copy it by hand', { description: id });
    }
  };
  return (
    <button
      type="button"
      className={styles.copy}
      title={id}
      aria-label={isCopied ? `Copied ${of} ${shortId(id)}` : `Copy ${of} ${shortId(id)}`}
      onClick={copy}
      onBlur={() => setCopied(false)}
    >
      {shortId(id)}
      <Icon name={isCopied ? 'check' : 'copy'} size={14} />
    </button>
  );
}
