import type { z } from 'zod';
import type { ValidationError } from '../../contract/failures.ts';
import { toValidationErrors } from '../../contract/validationErrors.ts';
import { Refusal } from './refusals.ts';

/**
 * The new texts, normalized. Refuses what breaks the rules for texts, unless it is what is stored: a text from before the
 * rules must not keep its owner from changing something else.
 */
export async function checkEditedTexts<Name extends string>(
  rules: z.ZodObject<Record<Name, z.ZodString>>,
  texts: Readonly<Record<NoInfer<Name>, string>>,
  readStored: () => Promise<Readonly<Record<NoInfer<Name>, string>> | undefined>,
): Promise<Record<Name, string>> {
  const checked = rules.safeParse(texts);
  if (checked.success) return checked.data as Record<Name, string>;
  const stored = await readStored();
  const errors: ValidationError[] = [];
  const kept: Record<Name, string> = { ...texts };
  for (const name of Object.keys(rules.shape) as Name[]) {
    const result = rules.pick({ [name]: true } as never).safeParse({ [name]: texts[name] });
    if (result.success) kept[name] = (result.data as Record<Name, string>)[name];
    else if (texts[name] !== stored?.[name]) errors.push(...toValidationErrors(result.error));
  }
  if (errors.length > 0) throw new Refusal('invalid', { validationErrors: errors });
  return kept;
}
