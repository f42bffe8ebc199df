import { Button, TextInput } from '@mantine/core';
import { type ChangeEvent, type FormEvent, useState } from 'react';
import { MAX_BAGS, PIN_LENGTH, readBagCode } from '../../domain/handovers.ts';
import type { Point } from '../../domain/places.ts';
import type { StepProof } from '../deliveries/queuedSteps/waitingSteps.ts';
import type { ProofAction } from '../deliveries/steps.ts';
import { LazyPhotoPicker } from '../files/LazyPhotoPicker.tsx';
import { readLocation } from '../places/geolocation.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { BagCountInput } from './BagCountInput.tsx';
import styles from './HandoverSheet.module.css';
import { canScan, scanBagCodes } from './scanBagCodes.ts';

const MAX_PHOTOS = 3;

const TEXTS = {
  collected: { title: 'What do you collect?', button: 'Collected' },
  delivered: { title: 'Who takes the laundry?', button: 'Delivered' },
  'brought-back': { title: 'Who takes the laundry back?', button: 'Brought Back' },
} as const satisfies Record<ProofAction, object>;

type HandoverSheetProps = {
  action: ProofAction;
  opened: boolean;
  onClose: () => void;
  onProve: (proof: StepProof) => void;
};

/** Asks a Duber for the proof of a hand-over. It works offline: the proof is queued with its step. */
export function HandoverSheet({ action, opened, onClose, onProve }: HandoverSheetProps) {
  const [pin, setPin] = useState('');
  const [bags, setBags] = useState<number | undefined>(undefined);
  const [bagCodes, setBagCodes] = useState<readonly string[]>([]);
  const [fileIds, setFileIds] = useState<readonly string[]>([]);
  const [isLocating, setLocating] = useState(false);
  const isPinGiven = pin.length === PIN_LENGTH;
  const isCounted = bags !== undefined || bagCodes.length > 0;
  const isReady = fileIds.length > 0 || (action === 'collected' ? isCounted : isPinGiven);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || isLocating) return;
    const counted = bags === undefined ? {} : { bags };
    setLocating(true);
    const photos = fileIds.length > 0 ? { fileIds: [...fileIds], ...(await findPlace()) } : {};
    setLocating(false);
    const proof = action === 'collected' ? { bagCodes: [...bagCodes] } : isPinGiven ? { pin } : {};
    onProve({ ...proof, ...counted, ...photos });
    setPin('');
    onClose();
  };
  return (
    <Dialog opened={opened} onClose={onClose} title={TEXTS[action].title} size="sm">
      <form className={styles.form} onSubmit={(event) => void send(event)} noValidate>
        {action === 'collected' ? (
          <BagCodes codes={bagCodes} onChange={setBagCodes} />
        ) : (
          <PinField pin={pin} onChange={setPin} />
        )}
        <BagCountInput
          label={bagCodes.length > 0 ? 'Number of bags, if some have no tag' : 'Number of bags'}
          value={bags ?? ''}
          onChange={(value) => setBags(Number(value) || undefined)}
        />
        <ProofPhotos action={action} value={fileIds} onChange={setFileIds} />
        <Button type="submit" size="lg" fullWidth disabled={!isReady} loading={isLocating}>
          {TEXTS[action].button}
        </Button>
      </form>
    </Dialog>
  );
}

/** Where a photo was taken: laundry may stand at a door only with it. A photo without a place is a proof as well. */
async function findPlace(): Promise<{ place?: Point }> {
  const place = await readLocation(60_000, 10_000);
  return typeof place === 'string' ? {} : { place };
}

const AT_THE_DOOR = { button: 'No PIN? Take a photo', label: 'Photo of the laundry at the door' } as const;
const PHOTO_TEXTS = {
  collected: { button: 'Or take a photo of the bags', label: 'Photo of the bags' },
  delivered: AT_THE_DOOR,
  'brought-back': AT_THE_DOOR,
} as const satisfies Record<ProofAction, object>;

type ProofPhotosProps = {
  action: ProofAction;
  value: readonly string[];
  onChange: (fileIds: readonly string[]) => void;
};

/** Loaded when it is asked for: the sheet itself must be on the device in a cellar without a network. */
function ProofPhotos({ action, value, onChange }: ProofPhotosProps) {
  const [isOpen, setOpen] = useState(value.length > 0);
  const { button, label } = PHOTO_TEXTS[action];
  if (!isOpen)
    return (
      <Button variant="subtle" onClick={() => setOpen(true)}>
        {button}
      </Button>
    );
  return <LazyPhotoPicker value={value} onChange={onChange} max={MAX_PHOTOS} label={label} canWait />;
}

function PinField({ pin, onChange }: { pin: string; onChange: (pin: string) => void }) {
  return (
    <TextInput
      label="PIN"
      description="The person who takes the laundry sees it on their order."
      size="lg"
      inputMode="numeric"
      autoComplete="off"
      maxLength={PIN_LENGTH}
      className={styles.pin ?? ''}
      value={pin}
      onChange={(event) => onChange(event.currentTarget.value.replaceAll(/\D/g, ''))}
    />
  );
}

type BagCodesProps = { codes: readonly string[]; onChange: (codes: readonly string[]) => void };

function BagCodes({ codes, onChange }: BagCodesProps) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const add = (found: readonly string[], otherwise: string) => {
    setProblem(found.length === 0 ? otherwise : undefined);
    onChange([...new Set([...codes, ...found])].slice(0, MAX_BAGS));
  };
  const addTyped = () => {
    const code = readBagCode(typed);
    add(code ? [code] : [], 'A code has six letters and digits');
    if (code) setTyped('');
  };
  const addScanned = async ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const [photo] = input.files ?? [];
    if (photo) add(await scanBagCodes(photo).catch(() => []), 'No tag found on the photo');
    input.value = '';
  };
  return (
    <div className={styles.codes}>
      <div className={styles.type}>
        <TextInput
          label="Code on a tag"
          value={typed}
          autoCapitalize="characters"
          autoComplete="off"
          error={problem}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button variant="default" onClick={addTyped}>
          Add
        </Button>
      </div>
      {canScan() && (
        <label className={styles.scan}>
          Scan tags with the camera
          <input type="file" accept="image/*" capture="environment" onChange={addScanned} />
        </label>
      )}
      {codes.length > 0 && <p aria-live="polite">Tags: {codes.join(', ')}</p>}
    </div>
  );
}
