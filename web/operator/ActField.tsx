import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { CallField } from '../../contract/operator/actFields.ts';
import { instantOfLocalTime } from '../../domain/localDays.ts';
import { Choice, ChoiceGroup } from '../ui/Choice.tsx';
import { NumberField } from '../ui/NumberField.tsx';
import { type NumberKind, readNumber, unreadableText } from '../ui/typedNumber.ts';
import type { FieldTexts } from './acts.ts';

export type FieldValue = string | boolean | readonly string[] | undefined;
/** A field of a form: what the shape of the call says, and its texts. The kind of the texts is the stronger one. */
export type FormField = Omit<CallField, 'kind' | 'options' | 'description'> &
  Omit<FieldTexts, 'kind' | 'options'> & {
    readonly kind: CallField['kind'] | NonNullable<FieldTexts['kind']> | 'decimal';
    readonly options: CallField['options'] | NonNullable<FieldTexts['options']>;
  };

const NUMBER_KINDS: Partial<Record<FormField['kind'], NumberKind>> = {
  number: 'decimal',
  decimal: 'decimal',
  dollars: 'dollars',
  whole: 'whole',
};
const INPUT_TYPES: Partial<Record<FormField['kind'], string>> = {
  date: 'date',
  noon: 'date',
  'town-time': 'datetime-local',
  'local-time': 'datetime-local',
};

/** Whether what is typed can be sent. The server says what is wrong with a text. */
export function isFilled({ kind, isRequired }: FormField, value: FieldValue): boolean {
  if (typeof value !== 'string' || value.trim() === '')
    return !isRequired || kind === 'text' || kind === 'lines' || kind === 'flag' || kind === 'choices';
  const number = NUMBER_KINDS[kind];
  return number === undefined || unreadableText(value, number) === undefined;
}

/** What the call gets for what was typed; undefined for nothing. */
export function sentValue({ kind, isRequired }: FormField, value: FieldValue, timeZone: string): unknown {
  if (kind === 'flag') return value === true;
  if (kind === 'choices') return value ?? [];
  if (typeof value !== 'string') return isRequired && (kind === 'text' || kind === 'lines') ? '' : value;
  if (value.trim() === '') return isRequired ? value : undefined;
  const number = NUMBER_KINDS[kind];
  if (number !== undefined) return readNumber(value, number);
  if (kind === 'town-time') return instantOfLocalTime(value, timeZone).toISOString();
  if (kind === 'noon') return instantOfLocalTime(`${value}T12:00`, timeZone).toISOString();
  return value;
}

type ActFieldProps = {
  readonly field: FormField;
  readonly value: FieldValue;
  readonly error: string | undefined;
  readonly timeZone: string;
  readonly onChange: (value: FieldValue) => void;
};

/** One field of a form, by its kind. */
export function ActField({ field, value, error, timeZone, onChange }: ActFieldProps) {
  const { label, kind, description, placeholder } = field;
  if (kind === 'flag')
    return (
      <Choice type="checkbox" name={label} checked={value === true} onChoose={() => onChange(value !== true)}>
        {description}
      </Choice>
    );
  if (kind === 'choices') return <Choices {...{ field, value, onChange }} />;
  const text = typeof value === 'string' ? value : '';
  const zone = kind === 'town-time' ? `In ${timeZone}` : undefined;
  const props = {
    ...{ label, placeholder, error, value: text, description: description ?? zone },
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  if (typeof field.options === 'function' || kind === 'choice') return <NativeSelect {...props} data={dataOf(field)} />;
  if (kind === 'lines') return <Textarea {...props} rows={3} />;
  const number = NUMBER_KINDS[kind];
  if (number !== undefined) return <NumberField {...props} kind={number} />;
  return <TextInput {...props} type={INPUT_TYPES[kind] ?? 'text'} autoComplete="off" spellCheck={false} />;
}

type Option = { readonly value: string; readonly name: string; readonly text?: string };

function optionsOf({ options }: FormField): readonly Option[] {
  if (typeof options !== 'function') return options.map((value) => ({ value, name: value }));
  return Object.entries(options()).map(([value, texts]) =>
    typeof texts === 'string' ? { value, name: texts } : { value, ...texts },
  );
}

const dataOf = (field: FormField) => optionsOf(field).map(({ value, name }) => ({ value, label: name }));

type ChoicesProps = Pick<ActFieldProps, 'field' | 'value' | 'onChange'>;

function Choices({ field, value, onChange }: ChoicesProps) {
  const chosen = Array.isArray(value) ? value : [];
  const options = optionsOf(field);
  const toggle = (one: string) =>
    onChange(options.map((option) => option.value).filter((other) => chosen.includes(other) !== (other === one)));
  return (
    <ChoiceGroup legend={field.label}>
      {options.map((option) => (
        <Choice
          key={option.value}
          type="checkbox"
          name={option.name}
          checked={chosen.includes(option.value)}
          onChoose={() => toggle(option.value)}
        >
          {option.text}
        </Choice>
      ))}
    </ChoiceGroup>
  );
}
