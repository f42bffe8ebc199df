import { Button } from '@mantine/core';
import { useState } from 'react';
import { DescriptionItem, DescriptionList } from '../../ui/DescriptionList.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { LogoMark } from '../../ui/Logo.tsx';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { useHasRight } from '../operatorSession.ts';
import sections from '../sections.module.css';
import styles from './IdentityForm.module.css';
import { IdentityForm, useIdentity } from './IdentityForm.tsx';

/** Who the town is to the people who use it. */
export function IdentityCard() {
  const { data: identity } = useIdentity();
  const mayChange = useHasRight('admin');
  const [isOpen, setOpen] = useState(false);
  if (!identity) return null;
  const { name, color, legalName, address, taxNumber, supportEmail, phone, configuredEmail } = identity;
  return (
    <section className={sections.card}>
      <SectionHeader title="Your town" />
      <DescriptionList>
        <DescriptionItem name="Name">
          <span className={styles.named}>
            <LogoMark size={24} />
            {name}
          </span>
        </DescriptionItem>
        <DescriptionItem name="Colour">
          <span className={styles.named}>
            <span className={styles.swatch} style={{ background: color }} />
            {color}
          </span>
        </DescriptionItem>
        <DescriptionItem name="Run by">
          <span className={styles.lines}>{[legalName, address].filter(Boolean).join('\n') || 'Not said yet'}</span>
        </DescriptionItem>
        <DescriptionItem name="Tax number">{taxNumber ?? 'None'}</DescriptionItem>
        <DescriptionItem name="Support">
          {supportEmail ?? configuredEmail}
          {phone && `, ${phone}`}
        </DescriptionItem>
      </DescriptionList>
      {mayChange && (
        <div className="buttons">
          <Button variant="default" onClick={() => setOpen(true)}>
            Change Your Town…
          </Button>
        </div>
      )}
      {isOpen && (
        <Dialog opened onClose={() => setOpen(false)} title="Your town" size="lg" closeOnOverlay={false}>
          <IdentityForm
            identity={identity}
            // The page has its name and colour from the server.
            onDone={({ isWaiting }) => (isWaiting ? setOpen(false) : location.reload())}
          />
        </Dialog>
      )}
    </section>
  );
}
