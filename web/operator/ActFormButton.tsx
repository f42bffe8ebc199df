import type { ButtonProps } from '@mantine/core';
import { type ReactNode, useContext, useState } from 'react';
import type { Part } from '../../contract/call.ts';
import { ACT_SHAPES } from '../../contract/operator/actFields.ts';
import type { ActName, OperatorApi } from '../../contract/operator/api.ts';
import type { ActAnswer } from '../../contract/operator/call.ts';
import type { FormErrors } from '../ui/useForm.ts';
import { ActButton } from './ActButton.tsx';
import { ActField, type FieldValue, type FormField, isFilled, sentValue } from './ActField.tsx';
import { ACTS, type ActTexts } from './acts.ts';
import { operatorApi } from './operatorApi.ts';
import sections from './sections.module.css';
import { TownTimeZone } from './useTownDay.ts';

export type FormValues = Readonly<Record<string, FieldValue>>;
type BodyOf<N extends ActName> = Omit<Part<OperatorApi[N], 'body', 'input'>, 'reason'>;
type FieldName<N extends ActName> = Extract<keyof BodyOf<N>, string>;
type Start<N extends ActName> = { readonly [F in FieldName<N>]?: FieldValue };

type ActFormProps<N extends ActName> = {
  readonly act: N;
  /** What the act is about, for its texts. */
  readonly name?: string;
  readonly params?: Part<OperatorApi[N], 'params', 'input'>;
  /** The fields that are asked for, in their order; by default those of the act's texts. A function hides those that others make needless. */
  readonly fields?: readonly FieldName<N>[] | ((values: FormValues) => readonly FieldName<N>[]);
  /** The values of the fields when the dialog opens. */
  readonly start?: Start<N>;
  /** What is sent besides the fields, read when the dialog opens. */
  readonly body?: Partial<BodyOf<N>>;
  /** Texts of fields that depend on what the act is about, or on other fields. */
  readonly textsOf?: (field: string, values: FormValues) => Partial<FormField> | undefined;
  readonly trigger?: (open: () => void) => ReactNode;
  readonly onOpen?: () => void;
  /** Shown below the fields: a preview. */
  readonly children?: ReactNode | ((values: FormValues, errors: FormErrors) => ReactNode);
  /** Whether another operator must approve it, where that depends on the request. */
  readonly needsApproval?: boolean | ((values: FormValues) => boolean);
} & Partial<Pick<ActTexts, 'title' | 'label' | 'button' | 'done' | 'text'>> & {
    readonly variant?: ButtonProps['variant'];
  };

/** A button with the dialog of an act, made from the shape of its call and its texts. */
export function ActFormButton<N extends ActName>(props: ActFormProps<N>) {
  const { act, name = '', params, fields: listed, start = {}, body: fixed = {}, textsOf, children } = props;
  const { name: actName, fields: texts = {}, text: ownText, reasonLabel, ...own }: ActTexts = ACTS[act];
  const text = props.text ?? ownText;
  const [values, setValues] = useState<FormValues>({});
  const [sent, setSent] = useState(fixed);
  const timeZone = useContext(TownTimeZone);
  const say = (text: string) => text.replaceAll('{name}', name);
  const { fields: shape, approval, alone } = ACT_SHAPES[act];
  const names: readonly string[] = (typeof listed === 'function' ? listed(values) : listed) ?? Object.keys(texts);
  const fields = names.flatMap((field): FormField[] => {
    const found = shape.find((one) => one.name === field);
    const said = texts[field];
    return found && said ? [{ ...found, ...said, ...textsOf?.(field, values) } as FormField] : [];
  });
  const open = () => {
    setSent(fixed);
    setValues(start as FormValues);
    props.onOpen?.();
  };
  const run = (reason: string, idempotencyKey: string) => {
    const typed = fields.flatMap((field) => {
      const value = sentValue(field, values[field.name], timeZone);
      return value === undefined ? [] : [[field.name, value]];
    });
    const call = operatorApi[act] as unknown as (input: object) => Promise<ActAnswer>;
    return call({
      ...(params ? { params } : {}),
      body: { ...sent, ...Object.fromEntries(typed), reason },
      idempotencyKey,
    });
  };
  const { needsApproval: asked } = props;
  const needsApproval = typeof asked === 'function' ? asked(values) : asked;
  const button = props.button ?? own.button ?? actName;
  return (
    <ActButton
      {...own}
      {...(props.variant ? { variant: props.variant } : {})}
      button={button}
      {...{ alone, needsApproval: approval === 'always' || needsApproval }}
      label={props.label ?? own.label ?? button}
      title={props.title ?? say(own.title ?? actName)}
      done={props.done ?? say(own.done ?? actName)}
      {...(reasonLabel ? { reasonLabel: say(reasonLabel) } : {})}
      isReady={fields.every((field) => isFilled(field, values[field.name]))}
      trigger={props.trigger}
      onOpen={open}
      run={run}
    >
      {(errors) => (
        <>
          {text && <p>{say(text)}</p>}
          {fields.length > 0 && (
            <div className={fields.length > 4 ? sections.fields : sections.column}>
              {fields.map((field) => (
                <ActField
                  key={field.name}
                  field={field}
                  value={values[field.name]}
                  error={errors[field.name]}
                  timeZone={timeZone}
                  onChange={(value) => setValues((now) => ({ ...now, [field.name]: value }))}
                />
              ))}
            </div>
          )}
          {typeof children === 'function' ? children(values, errors) : children}
        </>
      )}
    </ActButton>
  );
}
