import { Button, TextInput } from '@mantine/core';
import { type ChangeEvent, type FormEvent, useId, useRef, useState } from 'react';
import type { Delivery } from '../../contract/deliveries.ts';
import { type Failure, PIN_NEEDED } from '../../contract/failures.ts';
import { MAX_BAGS, PIN_LENGTH, readBagCode } from '../../domain/handovers.ts';
import { useConfig } from '../api/config.ts';
import { LazyPhotoPicker } from '../files/LazyPhotoPicker.tsx';
import { getSinglePressProps } from '../hooks/singlePress.ts';
import { type PhonePlace, readExactLocation } from '../places/geolocation.ts';
import { useUser } from '../session/session.ts';
import { CodeInput } from '../ui/CodeInput.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { errorMessageOf, failureOf } from '../ui/errorMessage.ts';
import { Icon } from '../ui/icons.tsx';
import { BagCountInput } from './BagCountInput.tsx';
import { doorNote, photoOffer } from './dubersCustody.ts';
import styles from './HandoverSheet.module.css';
import type { ProofAction, StepEnds, StepProof } from './proof.ts';
import { useDubersCustody } from './useDubersCustody.ts';

const MAX_PHOTOS = 3;

/** What the Duber reads whose photo of the door was refused, because the Bud has changed that meanwhile. */
const NO_LONGER_AT_DOOR = `The Bud no longer lets you leave it at the door. ${PIN_NEEDED}`;

const TEXTS = {
  collected: { title: 'What do you collect?', button: 'Collected' },
  delivered: { title: 'Who takes the laundry?', button: 'Delivered' },
  'brought-back': { title: 'Who takes the laundry back?', button: 'Brought Back' },
} as const satisfies Record<ProofAction, object>;

type HandoverSheetProps = {
  delivery: Delivery;
  action: ProofAction;
  opened: boolean;
  /** Whether a step of the delivery is being sent. */
  isSending: boolean;
  onClose: () => void;
  onProve: (proof: StepProof, ends: StepEnds) => void;
};

/**
 * Asks a Duber for the proof of a hand-over. It works offline: the proof is queued with its step. What was typed stays until the
 * step is taken or waits on the device.
 */
export function HandoverSheet({ delivery, action, opened, isSending, onClose, onProve }: HandoverSheetProps) {
  const [pin, setPin] = useState('');
  const [bags, setBags] = useState<number | undefined>(undefined);
  const [bagCodes, setBagCodes] = useState<readonly string[]>([]);
  const [fileIds, setFileIds] = useState<readonly string[]>([]);
  const [isLocating, setLocating] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const [refused, setRefused] = useState<readonly Failure[]>([]);
  const refusalId = useId();
  const asksProof = useConfig()?.asksProof === true;
  const isPinGiven = pin.length === PIN_LENGTH;
  const isCounted = bags !== undefined || bagCodes.length > 0;
  const isReady = fileIds.length > 0 || (action === 'collected' ? isCounted : isPinGiven);
  const custody = useDubersCustody(delivery, useUser().id);
  const note = doorNote(delivery, custody.data?.leaveAtDoor);
  const refuse = async (error: Error) => {
    setRefusal(errorMessageOf(error, 'Something went wrong'));
    const code = failureOf(error);
    if (code) setRefused([...refused, code]);
    if (code !== 'proofNeeded' || note === undefined) return;
    const { data: now } = await custody.refetch();
    if (now?.leaveAtDoor === false) setRefusal(NO_LONGER_AT_DOOR);
  };
  // What was refused may be the tag that is removed.
  const changeCodes = (codes: readonly string[]) => {
    setBagCodes(codes);
    setRefusal(undefined);
  };
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || isLocating || isSending) return;
    setRefusal(undefined);
    const counted = bags === undefined ? {} : { bags };
    setLocating(true);
    const photos = fileIds.length > 0 ? { fileIds: [...fileIds], ...(await findPlace()) } : {};
    setLocating(false);
    const proof = action === 'collected' ? { bagCodes: [...bagCodes] } : isPinGiven ? { pin } : {};
    onProve({ ...proof, ...counted, ...photos }, { onSuccess: onClose, onError: (error) => void refuse(error) });
  };
  // The recipient's own press is a proof, too.
  const passOn = () => {
    if (isLocating || isSending) return;
    setRefusal(undefined);
    onProve({}, { onSuccess: onClose, onError: (error) => void refuse(error) });
  };
  return (
    <Dialog opened={opened} onClose={onClose} title={TEXTS[action].title} size="sm">
      <form className={styles.form} onSubmit={(event) => void send(event)} noValidate>
        {action === 'collected' ? (
          <BagCodes codes={bagCodes} onChange={changeCodes} />
        ) : (
          <PinField pin={pin} onChange={setPin} />
        )}
        <BagCountInput
          label={bagCodes.length > 0 ? 'Number of bags, if some have no tag' : 'Number of bags'}
          value={bags ?? ''}
          onChange={(value) => setBags(Number(value) || undefined)}
        />
        <ProofPhotos action={action} note={note} refused={refused} value={fileIds} onChange={setFileIds} />
        {refusal && (
          <p id={refusalId} className={styles.refusal} role="alert">
            {refusal}
          </p>
        )}
        <Button
          type="submit"
          size="lg"
          fullWidth
          disabled={!isReady}
          loading={isLocating || isSending}
          aria-describedby={refusal && refusalId}
        >
          {TEXTS[action].button}
        </Button>
        {asksProof && action !== 'collected' && (
          <Button variant="subtle" {...getSinglePressProps(passOn)}>
            They confirmed it on their own phone
          </Button>
        )}
      </form>
    </Dialog>
  );
}

/** Where a photo was taken: laundry may stand at a door only with it. A photo without a place is a proof as well. */
async function findPlace(): Promise<{ place?: PhonePlace }> {
  const place = await readExactLocation(60_000, 10_000);
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
  /** That laundry may stand at this door, where it may. */
  note: string | undefined;
  /** Why earlier tries were refused. */
  refused: readonly Failure[];
  value: readonly string[];
  onChange: (fileIds: readonly string[]) => void;
};

/** Loaded when it is asked for: the sheet itself must be on the device in a cellar without a network. */
function ProofPhotos({ action, note, refused, value, onChange }: ProofPhotosProps) {
  const [isAsked, setAsked] = useState(false);
  const { button, label } = PHOTO_TEXTS[action];
  const offer = photoOffer(action, { isLeftAtDoor: note !== undefined, refused, asksProof: useConfig()?.asksProof });
  return (
    <div className={styles.photos}>
      {note && <p>{note}</p>}
      {offer === 'open' || value.length > 0 || (offer === 'button' && isAsked) ? (
        <LazyPhotoPicker value={value} onChange={onChange} max={MAX_PHOTOS} label={label} canWait />
      ) : (
        offer === 'button' && (
          <Button variant="subtle" onClick={() => setAsked(true)}>
            {button}
          </Button>
        )
      )}
    </div>
  );
}

function PinField({ pin, onChange }: { pin: string; onChange: (pin: string) => void }) {
  return (
    <CodeInput
      label="PIN"
      description="The person who takes the laundry sees it on their order."
      size="lg"
      autoComplete="off"
      length={PIN_LENGTH}
      className={styles.pin ?? ''}
      value={pin}
      onChange={onChange}
    />
  );
}

type BagCodesProps = { codes: readonly string[]; onChange: (codes: readonly string[]) => void };

function BagCodes({ codes, onChange }: BagCodesProps) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const remove = (code: string) => {
    onChange(codes.filter((one) => one !== code));
    field.current?.focus();
  };
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
          ref={field}
          label="Code on a tag"
          value={typed}
          autoCapitalize="characters"
          autoComplete="off"
          error={problem}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setProblem(undefined);
          }}
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
      <ul className={styles.tags} aria-label="Tags" aria-live="polite">
        {codes.map((code) => (
          <li key={code}>
            <Button
              variant="default"
              rightSection={<Icon name="cross" size={16} />}
              aria-label={`Remove ${code}`}
              onClick={() => remove(code)}
            >
              {code}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

// Not in TypeScript's library yet, and not in every browser.
type Detector = { detect(image: ImageBitmap): Promise<readonly { readonly rawValue: string }[]> };
type DetectorClass = new (options: { formats: string[] }) => Detector;

const findDetector = () => (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector;

/** Whether this browser can read a tag from a photo. */
const canScan = (): boolean => findDetector() !== undefined;

/** The bag codes on a photo. */
async function scanBagCodes(photo: Blob): Promise<string[]> {
  const Detector = findDetector();
  if (!Detector) return [];
  const image = await createImageBitmap(photo);
  const found = await new Detector({ formats: ['qr_code'] }).detect(image).finally(() => image.close());
  return found.flatMap(({ rawValue }) => readBagCode(rawValue) ?? []);
}
