import { useState } from 'react';
import styles from './CopyId.module.css';
import { copyText } from './copyText.ts';
import { shortId } from './format.ts';
import { Icon } from './icons.tsx';

/** A shortened id that copies the full id when pressed. */
export function CopyId({ id, label = 'id' }: { id: string; label?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    if (await copyText(id)) setCopied(true);
  };
  return (
    <button
      type="button"
      className={styles.copy}
      title={id}
      aria-label={isCopied ? `Copied ${label} ${shortId(id)}` : `Copy ${label} ${shortId(id)}`}
      onClick={copy}
      onBlur={() => setCopied(false)}
    >
      {shortId(id)}
      <Icon name={isCopied ? 'check' : 'copy'} size={14} />
    </button>
  );
}
