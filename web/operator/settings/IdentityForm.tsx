import { Button, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ChangeEvent, type CSSProperties, type ReactNode, useId, useRef, useState } from 'react';
import type { ActAnswer } from '../../../contract/operator/call.ts';
import type { TownIdentity } from '../../../contract/operator/identity.ts';
import { describeColorProblem, findColorProblem, isColor, shadesOf } from '../../../domain/colors.ts';
import { DEFAULT_IDENTITY, LOGO_MAX_BYTES, LOGO_MAX_SIDE } from '../../../domain/identity.ts';
import { scalePhoto } from '../../files/scalePhoto.ts';
import { LogoMark } from '../../ui/Logo.tsx';
import type { FormErrors } from '../../ui/useForm.ts';
import { ActForm, type ActFormProps } from '../ActForm.tsx';
import { operatorApi } from '../operatorApi.ts';
import sections from '../sections.module.css';
import styles from './IdentityForm.module.css';

/** Who the town is now. */
export const useIdentity = () => useQuery({ queryKey: ['identity'], queryFn: () => operatorApi.readIdentity() });

const TEXT_FIELDS = ['name', 'legalName', 'address', 'taxNumber', 'supportEmail', 'phone'] as const;
type TextField = (typeof TEXT_FIELDS)[number];
type Values = Readonly<Record<TextField | 'color', string>>;
/** A logo that was chosen here. Its key keeps it from being set twice. */
type NewLogo = { readonly picture: string | null; readonly key: string };

const valuesOf = (identity: TownIdentity): Values => ({
  color: identity.color,
  ...(Object.fromEntries(TEXT_FIELDS.map((name) => [name, identity[name] ?? ''])) as Record<TextField, string>),
});

type IdentityFormProps = {
  readonly identity: TownIdentity;
  /** The reason that the audit has. Without one the form asks for it. */
  readonly reason?: string;
  readonly button?: string;
  /** What the same press does besides, after it. */
  readonly also?: () => Promise<Partial<ActAnswer>>;
  /** Called when it is done, or waits for another operator. A page shows what has changed once it is loaded again. */
  readonly onDone: (result: { readonly isWaiting: boolean; readonly isChanged: boolean }) => void;
  /** More fields, for what the same press does besides. */
  readonly children?: ReactNode;
};

/** The name, the logo, the colour and the legal data of the town. In set-up and in the settings. */
export function IdentityForm(props: IdentityFormProps) {
  const { identity, reason: given, button = 'Save', also, onDone, children } = props;
  const [values, setValues] = useState(() => valuesOf(identity));
  const [logo, setLogo] = useState<NewLogo>();
  const result = useRef({ isWaiting: false, isChanged: false });
  const set = (name: keyof Values) => (value: string) => setValues((now) => ({ ...now, [name]: value }));
  const color = values.color.trim().toLowerCase();
  const run: ActFormProps['run'] = async (typed, idempotencyKey) => {
    const reason = given ?? typed;
    // First, because only a picture can still be wrong.
    if (logo) await operatorApi.setLogo({ body: { photo: base64Of(logo.picture), reason }, idempotencyKey: logo.key });
    result.current.isChanged = logo !== undefined;
    const answer = await setIdentity(reason, idempotencyKey);
    const other = await also?.();
    return answer.approvalId ? answer : { ...answer, ...other };
  };
  const setIdentity = async (reason: string, idempotencyKey: string): Promise<Partial<ActAnswer>> => {
    if (JSON.stringify(values) === JSON.stringify(valuesOf(identity))) return {};
    const { name, phone, ...rest } = values;
    // People write numbers in groups.
    const others = { ...rest, phone: phone.replaceAll(/[\s().-]/g, '') };
    const filled = Object.fromEntries(Object.entries(others).map(([field, text]) => [field, text.trim() || null]));
    const answer = await operatorApi.setIdentity({ body: { ...filled, name, color, reason }, idempotencyKey });
    result.current = { isWaiting: answer.approvalId !== null, isChanged: true };
    return answer;
  };
  return (
    <ActForm
      button={button}
      done="The town is changed"
      reasonLabel={given === undefined ? 'Why?' : null}
      problems={problemsOf(values.name, color)}
      run={run}
      onDone={() => onDone(result.current)}
    >
      {(errors) => (
        <>
          <TextInput
            label="Name of the town"
            value={values.name}
            maxLength={40}
            error={errors.name}
            autoComplete="off"
            onChange={(event) => set('name')(event.currentTarget.value)}
          />
          <ColorField value={values.color} color={color} error={errors.color} onChange={set('color')} />
          <LogoField {...{ identity, logo, color, errors }} name={values.name} onChange={setLogo} />
          <LegalFields {...{ values, errors, set }} configuredEmail={identity.configuredEmail} />
          {children}
        </>
      )}
    </ActForm>
  );
}

const base64Of = (picture: string | null) => picture?.slice(picture.indexOf(',') + 1) ?? null;

function problemsOf(name: string, color: string): FormErrors {
  const problem = isColor(color) ? findColorProblem(color) : undefined;
  return {
    ...(name.trim() === '' ? { name: 'Enter the name of the town' } : {}),
    ...(isColor(color) ? {} : { color: `A colour is like ${DEFAULT_IDENTITY.color}` }),
    ...(problem && isColor(color) ? { color: describeColorProblem(color, problem) } : {}),
  };
}

type ColorFieldProps = {
  readonly value: string;
  readonly color: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
};

/** The colour, how buttons and links look in both themes, and the nearest one that can be read. */
function ColorField({ value, color, error, onChange }: ColorFieldProps) {
  const problem = isColor(color) ? findColorProblem(color) : undefined;
  const change = (event: ChangeEvent<HTMLInputElement>) => onChange(event.currentTarget.value);
  return (
    <div className={sections.column}>
      <TextInput
        label="Colour of buttons and links"
        value={value}
        spellCheck={false}
        autoComplete="off"
        error={error ?? (problem && isColor(color) ? describeColorProblem(color, problem) : undefined)}
        onChange={change}
        leftSection={
          <input
            type="color"
            className={styles.picker}
            aria-label="Pick the colour"
            value={isColor(color) ? color : DEFAULT_IDENTITY.color}
            onChange={change}
          />
        }
      />
      {problem && (
        <Button variant="default" onClick={() => onChange(problem.nearest)}>
          <span className={styles.swatch} style={{ background: problem.nearest }} />
          Use {problem.nearest}
        </Button>
      )}
      {isColor(color) && !problem && <ColorPreview color={color} />}
    </div>
  );
}

const THEMES = ['light', 'dark'] as const;

function ColorPreview({ color }: { color: Parameters<typeof shadesOf>[0] }) {
  const shades = shadesOf(color);
  return (
    <div className={styles.previews} aria-hidden="true">
      {THEMES.map((theme) => {
        const { brand, 'brand-ink': ink, link } = shades[theme];
        return (
          <div key={theme} className={`${styles.preview} ${styles[theme]}`}>
            <span className={styles.button} style={{ background: brand, color: ink }}>
              Button
            </span>
            <span style={{ color: link }}>Link</span>
          </div>
        );
      })}
    </div>
  );
}

type LogoFieldProps = {
  readonly identity: TownIdentity;
  readonly logo: NewLogo | undefined;
  readonly name: string;
  readonly color: string;
  readonly errors: FormErrors;
  readonly onChange: (logo: NewLogo) => void;
};

const UNREADABLE = 'This picture cannot be opened. Choose a JPEG, PNG or WebP';

/** The logo as it is going to look, on white. */
function LogoField({ identity, logo, name, color, errors, onChange }: LogoFieldProps) {
  const [problem, setProblem] = useState<string>();
  const id = useId();
  const change = (picture: string | null) => onChange({ picture, key: crypto.randomUUID() });
  const pick = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? [];
    // So that the same file can be picked again.
    currentTarget.value = '';
    setProblem(undefined);
    if (!file) return;
    try {
      change(await toDataUrl(await scalePhoto(file, { maxSide: LOGO_MAX_SIDE, maxBytes: LOGO_MAX_BYTES })));
    } catch {
      setProblem(UNREADABLE);
    }
  };
  const picture = logo ? logo.picture : identity.hasLogo ? '/favicon.svg' : null;
  const error = problem ?? errors.photo;
  const isOfProduct = name.trim() === DEFAULT_IDENTITY.name && color === DEFAULT_IDENTITY.color;
  return (
    <div className={styles.logo}>
      {picture === null && isOfProduct ? (
        <LogoMark size={64} />
      ) : picture === null ? (
        <span className={styles.letter} style={{ '--letter-ground': color } as CSSProperties} aria-hidden="true">
          {[...name.trim().toUpperCase()][0]}
        </span>
      ) : (
        <img src={picture} alt="The logo" className={styles.picture} />
      )}
      <div className={sections.column}>
        <div className="buttons">
          <label className={styles.choose}>
            Choose a Logo
            <input type="file" accept="image/jpeg,image/png,image/webp" aria-describedby={id} onChange={pick} />
          </label>
          {picture !== null && (
            <Button variant="subtle" onClick={() => change(null)}>
              Remove
            </Button>
          )}
        </div>
        <p id={id} className={error ? styles.wrong : styles.hint} {...(error ? { role: 'alert' } : {})}>
          {error ??
            (picture === null
              ? `Without one, people see ${isOfProduct ? 'this' : 'the first letter'}.`
              : 'It is shown on white.')}
        </p>
      </div>
    </div>
  );
}

const toDataUrl = (picture: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(picture);
  });

type LegalFieldsProps = {
  readonly values: Values;
  readonly errors: FormErrors;
  readonly configuredEmail: string;
  readonly set: (name: TextField) => (value: string) => void;
};

/** Who runs the town, and how to reach them. Each may stay empty. */
function LegalFields({ values, errors, configuredEmail, set }: LegalFieldsProps) {
  const bind = (name: TextField) => ({
    ...{ value: values[name], error: errors[name], autoComplete: 'off' },
    onChange: (event: { currentTarget: { value: string } }) => set(name)(event.currentTarget.value),
  });
  return (
    <>
      <p className={styles.hint}>Receipts, emails and the terms say who runs the town. What is empty is left out.</p>
      <div className={sections.fields}>
        <TextInput label="Legal name" maxLength={120} {...bind('legalName')} />
        <TextInput label="Tax number" maxLength={40} {...bind('taxNumber')} />
      </div>
      <Textarea label="Postal address" rows={3} maxLength={300} {...bind('address')} />
      <div className={sections.fields}>
        <TextInput
          label="Support email"
          type="email"
          inputMode="email"
          placeholder={configuredEmail}
          {...bind('supportEmail')}
        />
        <TextInput label="Support phone" type="tel" placeholder="+1 555 010 0199" {...bind('phone')} />
      </div>
    </>
  );
}
